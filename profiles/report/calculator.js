"use strict";
(() => {
  // Amounts are whole hundredths in BigInt: what is shown is exact, and a total is the sum of the parts shown.
  const PLACES = 12;
  const whole = (text) => {
    const [units, decimals = ""] = text.split(".");
    return BigInt(units + decimals.slice(0, PLACES).padEnd(PLACES, "0"));
  };
  const ONE = 10n ** BigInt(PLACES);
  const hundredths = (top, bottom) => (200n * top + bottom) / (2n * bottom);

  const SIGNS = { CZK: ["Kč", "CZK"], EUR: ["EUR", "EUR"], USD: ["USD", "USD"] };
  const written = (amount, lang) => {
    const units = String(amount / 100n).replace(/\B(?=(\d{3})+$)/g, lang === "cs" ? "\u00a0" : ",");
    return units + (lang === "cs" ? "," : ".") + String(amount % 100n).padStart(2, "0");
  };
  const both = (cs, en) => {
    const part = document.createDocumentFragment();
    for (const [lang, text] of [["cs", cs], ["en", en]]) {
      const span = document.createElement("span");
      span.className = `l-${lang}`;
      span.lang = lang;
      span.textContent = text;
      part.append(span);
    }
    return part;
  };
  const money = (amount, currency, before = "") =>
    both(...["cs", "en"].map((lang, n) => `${before}${written(amount, lang)}\u00a0${SIGNS[currency][n]}`));

  const entered = (input, pattern) => {
    let text = input.value.replace(/\s/g, "");
    text = input.name === "volume" ? text.replace(/[.,](?=\d{3}(\D|$))/g, "") : text.replace(",", ".");
    const fits = pattern.test(text) && Number(text) <= Number(input.dataset.most);
    input.setAttribute("aria-invalid", String(!fits));
    return fits ? text : null;
  };

  for (const form of document.querySelectorAll(".calculator")) {
    const groups = [...form.closest("section").querySelectorAll(".costs tbody")];
    const { volume, hourly } = form.elements;
    const body = form.querySelector(".counted");
    const wrong = form.querySelector(".wrong-entry");
    const copy = (kind) => form.querySelector(`template.${kind}`).content.cloneNode(true);
    const kept = {};
    let shown = null;

    const cell = (row, content, kind = "td") => {
      const made = document.createElement(kind);
      if (kind === "th") made.scope = "row";
      made.append(content);
      row.append(made);
    };
    const tokens = (exact, amount, currency, before) => {
      if (!exact || amount > 0n) return money(amount, currency, before);
      const part = copy("less");
      for (const span of part.querySelectorAll("span")) {
        const lang = span.lang === "cs" ? 0 : 1;
        span.textContent = before + span.textContent.replace("@", `${written(1n, span.lang)}\u00a0${SIGNS[currency][lang]}`);
      }
      return part;
    };

    const count = () => {
      const language = form.querySelector("fieldset input:checked").value;
      const group = groups.find((one) => one.dataset.language === language);
      const { currency, oneUsd } = group.dataset;
      const isEstimate = "estimate" in group.dataset;
      if (shown !== currency) {
        if (shown !== null) kept[shown] = hourly.value;
        hourly.value = kept[currency] ?? group.dataset.hourly;
        form.querySelector(".sign").replaceChildren(both(...SIGNS[currency]));
        shown = currency;
      }
      hourly.disabled = isEstimate;
      const documents = entered(volume, /^0*[1-9]\d*$/);
      const wage = entered(hourly, /^\d+(\.\d{1,6})?$/);
      const isWrong = documents === null || wage === null;
      wrong.hidden = !isWrong;
      body.closest(".scroll").hidden = isWrong;
      body.replaceChildren();
      if (isWrong) return;
      for (const from of group.querySelectorAll("tr[data-documents]")) {
        const row = document.createElement("tr");
        const of = BigInt(from.dataset.documents);
        cell(row, name(from), "th");
        if (from.dataset.spend === "") {
          for (const one of ["–", copy("not-estimable"), copy("unmeasured")]) cell(row, one);
        } else {
          const exact = whole(from.dataset.spend) * whole(oneUsd) * BigInt(documents);
          const spend = hundredths(exact, of * ONE * ONE);
          if (from.dataset.faulty === "") {
            for (const one of ["–", tokens(exact, spend, currency, "≈ "), copy("unmeasured")]) cell(row, one);
          } else {
            const minutes = whole(form.dataset.minutes) * BigInt(from.dataset.faulty) * BigInt(documents);
            const labour = hundredths(minutes * whole(wage), of * 60n * ONE * ONE);
            for (const one of [money(spend + labour, currency), tokens(exact, spend, currency, ""), money(labour, currency)]) cell(row, one);
          }
        }
        body.append(row);
      }
    };
    const name = (from) => {
      const part = document.createDocumentFragment();
      for (const node of from.querySelector("th").childNodes) part.append(node.cloneNode(true));
      return part;
    };

    form.hidden = false;
    form.addEventListener("input", count);
    form.addEventListener("submit", (event) => event.preventDefault());
    count();
  }
})();
