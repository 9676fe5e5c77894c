"use strict";
(() => {
  for (const section of document.querySelectorAll(".claims")) {
    const form = section.querySelector(".filter");
    const found = form.querySelector("output");
    const noneLeft = section.querySelector(".none-left");
    form.hidden = false;

    const choose = () => {
      const state = form.elements.state.value;
      const differs = form.elements.differs?.checked ?? false;
      let shown = 0;
      for (const field of section.querySelectorAll(".field")) {
        let left = 0;
        for (const one of field.querySelectorAll(".claim")) {
          const fits = (state === "" || one.dataset.state === state) && (!differs || "differs" in one.dataset);
          one.hidden = !fits;
          left += fits ? 1 : 0;
        }
        field.hidden = left === 0;
        shown += left;
      }
      found.textContent = String(shown);
      noneLeft.hidden = shown > 0;
    };
    form.addEventListener("change", choose);
    form.addEventListener("submit", (event) => event.preventDefault());

    const uncover = () => {
      const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      if (!target?.hidden || !section.contains(target)) return;
      form.reset();
      choose();
      target.scrollIntoView();
    };
    window.addEventListener("hashchange", uncover);
    choose();
  }
})();
