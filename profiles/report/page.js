"use strict";
(() => {
  const root = document.documentElement;
  const button = document.getElementById("switch");
  const KEY = "zkusebna-lang";

  const remember = (lang) => { try { localStorage.setItem(KEY, lang); } catch { /* a page on disk may have no storage */ } };
  const remembered = () => { try { return localStorage.getItem(KEY); } catch { return null; } };

  const asked = () => { const lang = new URLSearchParams(location.search).get("lang"); return lang === "cs" || lang === "en" ? lang : null; };

  // Links to other pages of the report carry the language, so that it is kept where a page on disk has no storage.
  const carry = (lang) => {
    for (const link of document.querySelectorAll("a[href]")) {
      const [, path, hash] = /^([^?#:]+\.html)(?:\?[^#]*)?(#.*)?$/.exec(link.getAttribute("href")) ?? [];
      if (path) link.setAttribute("href", `${path}?lang=${lang}${hash ?? ""}`);
    }
  };

  const speak = (lang) => {
    root.lang = lang;
    carry(lang);
    document.title = root.dataset[lang === "en" ? "titleEn" : "titleCs"];
    for (const img of document.querySelectorAll("img[data-alt-cs]")) img.alt = img.dataset[lang === "en" ? "altEn" : "altCs"];
    for (const one of document.querySelectorAll("[data-label-cs]")) one.setAttribute("aria-label", one.dataset[lang === "en" ? "labelEn" : "labelCs"]);
  };

  button.hidden = false;
  speak((asked() ?? remembered()) === "en" ? "en" : "cs");
  if (asked()) remember(asked());
  button.addEventListener("click", () => {
    const lang = root.lang === "cs" ? "en" : "cs";
    speak(lang);
    remember(lang);
    if (asked()) history.replaceState(null, "", `?lang=${lang}${location.hash}`);
    document.dispatchEvent(new Event("language"));
  });

  const open = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let around = target; around; around = around.parentElement) {
      if (around instanceof HTMLDetailsElement) around.open = true;
    }
    if (target && !(target instanceof HTMLDetailsElement)) target.scrollIntoView();
  };
  window.addEventListener("hashchange", open);
  open();

  for (const section of document.querySelectorAll(".cases")) {
    const form = section.querySelector(".filter");
    const cases = [...section.querySelectorAll(".case")];
    const found = form.querySelector("output");
    const noneLeft = section.querySelector(".none-left");
    form.hidden = false;

    const choose = () => {
      const system = form.querySelector("input[type=radio]:checked").value;
      const only = form.elements.only.checked;
      let shown = 0;
      for (const one of cases) {
        const wrong = one.dataset.wrong.trim().split(/\s+/);
        const counted = system === "" ? wrong : [wrong[Number(system)]];
        const fits = only ? counted.some((n) => Number(n) > 0) : system === "" || counted[0] !== "-";
        one.hidden = !fits;
        shown += fits ? 1 : 0;
      }
      for (const cell of section.querySelectorAll("[data-col]")) cell.hidden = system !== "" && cell.dataset.col !== system;
      found.textContent = String(shown);
      noneLeft.hidden = shown > 0;
    };
    form.addEventListener("change", choose);
    form.addEventListener("submit", (event) => event.preventDefault());
    choose();
  }
})();
