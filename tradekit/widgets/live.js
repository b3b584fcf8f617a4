// Shows a page that Python writes as HTML, part by part, and tells Python what a person does to it.
// An element with data-do sends {do, value} when it is clicked or, if it is a field, when its value is changed; what the
// field belongs to, data-of, goes before the value. A link "#value" inside an element with data-links sends
// {do: data-links, value}. A slider with data-live also sends while it is dragged. Within data-form, fields with data-name
// send nothing: a button with data-pattern does, with what they say. Nothing else happens here.
//
// showPage knows no transport: get(name) reads what Python has written (kind, label, parts, answered, moment,
// every_click, notices), and `transport` is what connection.js asks of one. It hands back { link, update, close }.

const FIELDS = "input:not([type=radio]):not([type=checkbox]), select, textarea";

function showPage({ el, get, transport }) {
  const page = document.createElement("div");
  page.className = `tk ${get("kind")}`;
  page.dataset.lmSuppressShortcuts = "true"; // typing here is not meant for JupyterLab
  page.setAttribute("role", "group");
  page.setAttribute("aria-label", get("label"));
  // What the page says of its connection, read out when that changes; it takes no room while there is nothing to say.
  const notice = document.createElement("p");
  notice.className = "tk-notice";
  notice.setAttribute("role", "status");
  page.append(notice);
  el.append(page);
  const shown = new Map();
  let answered = get("answered");
  let held = null; // the slider with data-live that the pointer is on
  let dragged = null; // the same once it has moved; its part is left as it is until it is let go
  let waiting = false; // for the answer to where it was
  let pressed = false; // between press and click what is under the pointer stays, or the click would be lost:
  let ticks = 0; // so far: each box has the number of its own, which gives their order
  let late = false; // leaving a field by pressing a button brings an answer in between, drawn after the click

  const part = (name) => page.querySelector(`[data-part="${name}"]`);

  // What is wider than its part can be scrolled, by keyboard too.
  const fit = () => {
    for (const section of page.children) {
      if (section.scrollWidth > section.clientWidth) section.tabIndex = 0;
      else if (section !== page.getRootNode().activeElement) section.removeAttribute("tabindex");
    }
  };

  // Seconds until a moment that Python has set; Python alone acts on it. It says how many milliseconds are left, and
  // from then on they are counted here: the clock of the device may be wrong. What was said before this page was opened,
  // or went out of sight, is old: then Python is asked anew.
  const tick = () => {
    for (const clock of page.querySelectorAll("[data-left]")) {
      clock.dataset.end ??= performance.now() + Number(clock.dataset.left);
      clock.textContent = Math.max(0, Math.ceil((clock.dataset.end - performance.now()) / 1000));
    }
  };
  const askTime = () => {
    if (!document.hidden && page.querySelector("[data-left]")) link.tell(message("clock"));
  };

  // A form: its slider and its number are one amount, a ticked box with data-high raises what it may be, and a button
  // with data-needs is off until so many boxes are ticked. What is in data-cases depends on which boxes those are: what
  // its buttons send for {case} or that they are off, what is said of it, and what its list has to offer. `changed` is
  // the field that a person has changed.
  const earlier = (one, other) => one.dataset.at - other.dataset.at;
  const agree = (form, changed) => {
    const slider = form.querySelector("input[type=range]");
    if (slider) {
      const number = form.querySelector("input[inputmode=numeric]");
      const raised = form.querySelector("input[data-high]:checked");
      slider.max = (raised ?? slider).dataset.high;
      const over = changed && changed !== number && Number(number.value) > Number(slider.max);
      if (changed === slider || over) number.value = slider.value;
      else slider.value = number.value || slider.min;
    }
    const boxes = [...form.querySelectorAll("input[type=checkbox]")];
    if (changed?.type === "checkbox") changed.dataset.at = ++ticks;
    if ("ordered" in form.dataset) {
      const order = boxes.filter((box) => box.checked).sort(earlier);
      for (const box of boxes) box.parentElement.dataset.place = order.indexOf(box) + 1 || "";
    }
    const ticked = String(boxes.flatMap((box, place) => (box.checked ? [place] : [])));
    for (const group of form.querySelectorAll("[data-cases]")) {
      const cases = JSON.parse(group.dataset.cases);
      const [words, about, values] = cases[ticked] ?? cases.others;
      group.dataset.words = words ?? "";
      group.querySelector("[data-said]").textContent = about;
      for (const button of group.querySelectorAll('[data-pattern*="{case}"]')) button.disabled = words === null;
      for (const list of group.querySelectorAll("select[data-by=ticks]")) {
        const options = [...list.options];
        for (const option of options) option.hidden = option.disabled = !values.includes(option.value);
        if (list.selectedOptions[0]?.disabled ?? true) list.value = values[0] ?? "";
        list.disabled = !values.length;
      }
    }
    for (const button of form.querySelectorAll("[data-needs]")) {
      const missing = button.dataset.needs - boxes.filter((box) => box.checked).length;
      button.disabled = missing !== 0;
      for (const box of boxes) box.disabled = missing === 0 && !box.checked;
    }
  };

  const said = (button) => {
    const form = button.closest("[data-form]");
    const words = { case: button.closest("[data-cases]")?.dataset.words };
    const fields = (name) => [...form.querySelectorAll(`[data-name="${name}"]`)]
      .filter((field) => field.type !== "checkbox" || field.checked);
    const inOrder = (some) => ("ordered" in form.dataset ? some.sort(earlier) : some);
    const values = (name) => words[name] ?? inOrder(fields(name)).map((field) => field.value).join(" ");
    return button.dataset.pattern.replace(/\{(\w+)\}/g, (_, name) => values(name)).trim();
  };

  // What a person has entered in forms, by field; a part that is written anew keeps it where the same field is there.
  const entered = (section) => new Map([...section.querySelectorAll("[data-form] [data-key]:enabled")]
    .filter((field) => field.matches("input, select"))
    .map((field) => [field.dataset.key, { value: field.value, checked: field.checked, at: field.dataset.at }]));
  const restore = (section, kept) => {
    for (const [key, { value, checked, at }] of kept) {
      const field = section.querySelector(`[data-form] [data-key="${CSS.escape(key)}"]:enabled`);
      if (!field || (field.options && ![...field.options].some((option) => option.value === value))) continue;
      if (field.type !== "checkbox") field.value = value;
      else field.checked = checked;
      if (at) field.dataset.at = at;
    }
    for (const form of section.querySelectorAll("[data-form]")) agree(form);
  };

  const draw = () => {
    const focused = page.getRootNode().activeElement;
    const home = page.contains(focused) ? focused.closest("[data-part]") : null;
    const key = home && focused.dataset.key;
    for (const [name, html] of Object.entries(get("parts"))) {
      if (shown.get(name) === html) continue;
      shown.set(name, html);
      let section = part(name);
      if (dragged && section?.contains(dragged)) {
        shown.delete(name);
        continue;
      }
      if (!section) {
        section = document.createElement("section");
        section.dataset.part = name;
        if (name === "news") section.setAttribute("aria-live", "polite"); // read out when it changes
        page.append(section);
      }
      const kept = entered(section);
      section.innerHTML = html;
      restore(section, kept);
    }
    // A part that was written anew has lost the focus: give it to the same element, or to the next best one. That is
    // none that acts in a game: a key pressed twice would do what nobody meant. Then it is the part, and Tab goes on there.
    if (home && !page.contains(focused)) {
      const same = home.querySelector(`[data-key="${CSS.escape(key ?? "")}"]`);
      const near = home.querySelector('[data-do]:not([data-do="act"])') ?? home.querySelector("button:not([data-do])");
      if (!same && !near) home.tabIndex = -1;
      (same ?? near ?? home).focus();
    }
    switchOff();
    fit();
    tick();
  };

  // Who is not answered can do nothing here but read and copy. Controls that are off anyway stay so.
  const switchOff = () => {
    const off = link.state === "disconnected";
    const controls = off ? "button:enabled, input:enabled, select:enabled, textarea:enabled" : "[data-cut]";
    for (const control of page.querySelectorAll(controls)) {
      if (control.matches("[data-copy], [readonly]")) continue;
      control.disabled = off;
      if (off) control.dataset.cut = "off";
      else delete control.dataset.cut;
    }
  };

  const link = connection({
    ...transport,
    every: get("every_click"),
    changed: () => {
      page.dataset.state = link.state;
      page.setAttribute("aria-busy", String(link.state === "waiting"));
      notice.textContent = get("notices")[link.state] ?? "";
      switchOff();
    },
  });
  page.dataset.state = link.state;

  const filled = (field) => ("of" in field.dataset ? `${field.dataset.of} ${field.value}` : field.value);
  const message = (name, value) => ({ do: name, value: value ?? null, at: get("moment") });
  const send = (field, value) => link.tell(message(field.dataset.do, value));

  page.addEventListener("click", (event) => {
    const anchor = event.target.closest("[data-links] a");
    if (anchor) {
      event.preventDefault();
      const target = anchor.getAttribute("href") ?? anchor.getAttributeNS("http://www.w3.org/1999/xlink", "href");
      link.click(message(anchor.closest("[data-links]").dataset.links, target.slice(1)));
      return;
    }
    const copy = event.target.closest("[data-copy]");
    if (copy) {
      const field = page.querySelector(`[data-key="${copy.dataset.copy}"]`);
      field.select();
      if (navigator.clipboard) navigator.clipboard.writeText(field.value).catch(() => document.execCommand("copy"));
      else document.execCommand("copy");
      copy.textContent = copy.dataset.done;
      return;
    }
    const element = event.target.closest("[data-do]");
    if (!element || element.matches(FIELDS) || element.disabled) return;
    if (element.dataset.do === "act" && event.detail > 1) return; // a double click: the next move is another's
    const value = element.dataset.pattern ? said(element) : element.dataset.value ?? element.value;
    link.click(message(element.dataset.do, value));
  });
  page.addEventListener("change", (event) => {
    const field = event.target;
    if (!field.matches(FIELDS) || !field.dataset.do) return;
    if (field === dragged) return letGo();
    if (field.dataset.sent === field.value) return; // said while it was dragged
    send(field, filled(field));
  });

  page.addEventListener("keydown", (event) => {
    if (/^(Arrow|Page|Home|End)/.test(event.key)) event.stopPropagation(); // JupyterLab keeps them from sliders and lists
    if (event.key !== "Enter" || !event.target.matches("input:not([type=checkbox])")) return;
    const form = event.target.closest("[data-form]");
    if (form) return form.querySelector("[data-pattern]")?.click();
    const field = event.target;
    let changed = false;
    field.addEventListener("change", () => (changed = true), { once: true });
    field.blur(); // JupyterLab keeps Enter from doing this
    field.focus();
    if (!changed && field.matches("[data-do]:not([type=range])")) send(field, filled(field));
  });

  const tell = (slider) => {
    slider.dataset.sent = slider.value;
    send(slider, slider.value);
  };
  const drag = () => {
    for (const field of page.querySelectorAll(`input[data-do="${dragged.dataset.do}"]`)) field.value = dragged.value;
    if (waiting || dragged.dataset.sent === dragged.value) return;
    waiting = true;
    tell(dragged);
  };
  const letGo = () => {
    const slider = dragged;
    dragged = held = null;
    if (slider && slider.dataset.sent !== slider.value) tell(slider);
    else if (slider && !waiting) draw();
  };
  page.addEventListener("pointerdown", (event) => {
    held = event.target.closest("input[data-live]");
    waiting = false;
    pressed = !held;
  });
  const released = () => setTimeout(() => {
    pressed = false;
    if (late) draw();
    late = false;
  });
  window.addEventListener("pointerup", released);
  window.addEventListener("pointercancel", released);
  page.addEventListener("input", (event) => {
    const form = event.target.closest("[data-form]");
    if (form) agree(form, event.target);
    if (event.target !== held) return;
    dragged = held;
    drag();
  });
  page.addEventListener("pointerup", letGo);
  page.addEventListener("pointercancel", letGo);
  const update = () => {
    if (get("answered") !== answered) {
      answered = get("answered");
      link.answered(answered);
    }
    if (pressed) {
      late = true;
      return;
    }
    draw();
    waiting = false;
    if (dragged) drag();
  };

  draw();
  askTime();
  document.addEventListener("visibilitychange", askTime);
  const resized = new ResizeObserver(fit);
  resized.observe(page);
  const ticking = setInterval(tick, 500);
  const close = () => {
    clearInterval(ticking);
    document.removeEventListener("visibilitychange", askTime);
    resized.disconnect();
    window.removeEventListener("pointerup", released);
    window.removeEventListener("pointercancel", released);
  };
  return { link, update, close };
}
