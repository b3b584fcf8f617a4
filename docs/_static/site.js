// What Sphinx and the theme do not say to those who hear a page, or walk through it with the keyboard.

document.addEventListener("DOMContentLoaded", () => {
    for (const toggle of document.querySelectorAll("summary:has(.toctree-toggle)")) {
        toggle.ariaLabel = toggle.closest("li").querySelector("a").textContent.trim();
    }
    // A long signature is laid out as a list of definitions without anything defined.
    for (const part of document.querySelectorAll(".sig dl, .sig dd")) {
        part.role = "presentation";
    }
    for (const table of document.querySelectorAll(".bd-article table")) {
        if (table.scrollWidth > table.clientWidth) {
            table.tabIndex = 0;
        }
    }
});
