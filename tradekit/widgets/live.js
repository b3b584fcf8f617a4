// Shows a page that Python writes as HTML, part by part, and tells Python what a person does to it.
// An element with data-do sends {do, value} when it is clicked or, if it is a field, when its value is changed; a link
// "#value" inside an element with data-links sends {do: data-links, value}. Nothing else happens here.

const FIELDS = "input:not([type=radio]):not([type=checkbox]), select, textarea";

function render({ model, el }) {
  const page = document.createElement("div");
  page.className = "tk tk-live";
  page.dataset.lmSuppressShortcuts = "true"; // typing here is not meant for JupyterLab
  page.setAttribute("role", "group");
  page.setAttribute("aria-label", model.get("label"));
  el.append(page);
  const shown = new Map();

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
    if (event.target.matches(FIELDS) && event.target.dataset.do) send(event.target, event.target.value);
  });

  page.addEventListener("keydown", (event) => {
    if (/^(Arrow|Page|Home|End)/.test(event.key)) event.stopPropagation(); // JupyterLab keeps them from sliders and lists
    if (event.key !== "Enter" || !event.target.matches("input")) return;
    event.target.blur(); // JupyterLab keeps Enter from doing this
    event.target.focus();
  });

  model.on("change:parts", draw);
  draw();
  const resized = new ResizeObserver(fit);
  resized.observe(page);
  const ticking = setInterval(tick, 500);
  return () => {
    clearInterval(ticking);
    resized.disconnect();
    model.off("change:parts", draw);
  };
}

export default { render };
