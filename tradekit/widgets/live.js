// Shows a page that Python writes as HTML, part by part, and tells Python what a person does to it.
// An element with data-do sends {do, value} when it is clicked or, if it is a field, when its value is changed; what the
// field belongs to, data-of, goes before the value. A link "#value" inside an element with data-links sends
// {do: data-links, value}. A slider with data-live also sends while it is dragged. Nothing else happens here.

const FIELDS = "input:not([type=radio]):not([type=checkbox]), select, textarea";

function render({ model, el }) {
  const page = document.createElement("div");
  page.className = "tk tk-live";
  page.dataset.lmSuppressShortcuts = "true"; // typing here is not meant for JupyterLab
  page.setAttribute("role", "group");
  page.setAttribute("aria-label", model.get("label"));
  el.append(page);
  const shown = new Map();
  let held = null; // the slider with data-live that the pointer is on
  let dragged = null; // the same once it has moved; its part is left as it is until it is let go
  let waiting = false; // for the answer to where it was
  let pressed = false; // between press and click what is under the pointer stays, or the click would be lost:
  let late = false; // leaving a field by pressing a button brings an answer in between, drawn after the click

  const part = (name) => page.querySelector(`[data-part="${name}"]`);

  // What is wider than its part can be scrolled, by keyboard too.
  const fit = () => {
    for (const section of page.children) {
      if (section.scrollWidth > section.clientWidth) section.tabIndex = 0;
      else section.removeAttribute("tabindex");
    }
  };

  // Seconds until a moment that Python has set; Python alone acts on it.
  const tick = () => {
    for (const clock of page.querySelectorAll("[data-until]")) {
      clock.textContent = Math.max(0, Math.ceil((clock.dataset.until - Date.now()) / 1000));
    }
  };

  const draw = () => {
    const focused = page.getRootNode().activeElement;
    const home = page.contains(focused) ? focused.closest("[data-part]") : null;
    const key = home && focused.dataset.key;
    for (const [name, html] of Object.entries(model.get("parts"))) {
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
      section.innerHTML = html;
    }
    // A part that was written anew has lost the focus: give it to the same element, or to the next best one.
    if (home && !page.contains(focused)) {
      const same = home.querySelector(`[data-key="${CSS.escape(key ?? "")}"]`);
      const near = home.querySelector("[data-do]") ?? home.querySelector("button");
      (same ?? near ?? page.querySelector("[data-do]"))?.focus();
    }
    fit();
    tick();
  };

  const send = (element, value) => model.send({ do: element.dataset.do, value: value ?? null });

  page.addEventListener("click", (event) => {
    const link = event.target.closest("[data-links] a");
    if (link) {
      event.preventDefault();
      const target = link.getAttribute("href") ?? link.getAttributeNS("http://www.w3.org/1999/xlink", "href");
      model.send({ do: link.closest("[data-links]").dataset.links, value: target.slice(1) });
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
    if (element && !element.matches(FIELDS) && !element.disabled) send(element, element.dataset.value ?? element.value);
  });
  page.addEventListener("change", (event) => {
    const field = event.target;
    if (!field.matches(FIELDS) || !field.dataset.do) return;
    if (field === dragged) return letGo();
    if (field.dataset.sent === field.value) return; // said while it was dragged
    send(field, "of" in field.dataset ? `${field.dataset.of} ${field.value}` : field.value);
  });

  page.addEventListener("keydown", (event) => {
    if (/^(Arrow|Page|Home|End)/.test(event.key)) event.stopPropagation(); // JupyterLab keeps them from sliders and lists
    if (event.key !== "Enter" || !event.target.matches("input")) return;
    event.target.blur(); // JupyterLab keeps Enter from doing this
    event.target.focus();
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
    if (event.target !== held) return;
    dragged = held;
    drag();
  });
  page.addEventListener("pointerup", letGo);
  page.addEventListener("pointercancel", letGo);
  const answered = () => {
    if (pressed) {
      late = true;
      return;
    }
    draw();
    waiting = false;
    if (dragged) drag();
  };

  model.on("change:parts", answered);
  draw();
  const resized = new ResizeObserver(fit);
  resized.observe(page);
  const ticking = setInterval(tick, 500);
  return () => {
    clearInterval(ticking);
    resized.disconnect();
    window.removeEventListener("pointerup", released);
    window.removeEventListener("pointercancel", released);
    model.off("change:parts", answered);
  };
}

export default { render };
