"use strict";
(() => {
  const MIN_FILTER = 8;
  const words = document.getElementById("words");
  if (!words) return;
  const word = (key) => words.querySelector(`[data-word="${key}"]`).cloneNode(true);

  // What a reader sees of an element in the language shown.
  const seen = (element) => {
    let text = "";
    const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const of = node.parentElement.closest(".l-cs, .l-en");
      if (!of || of.classList.contains(`l-${document.documentElement.lang}`)) text += node.textContent;
    }
    return text.replace(/\s+/g, " ").trim();
  };

  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

  // A number, a time in ms, or a day; null where the words are none.
  const numberOf = (text) => {
    const day = /^(\d{1,2})\. (\d{1,2})\. (\d{4})$/.exec(text);
    if (day) return Date.UTC(Number(day[3]), Number(day[2]) - 1, Number(day[1]));
    if (/^\d{1,2} [A-Z][a-z]{2} \d{4}$/.test(text)) return Date.parse(`${text} UTC`);
    const bare = text.replace(/^[≈✓✗<]\s*/, "").replace(/−/g, "-");
    const found = /^([+-]?[\d ,.]*\d)(.*)$/.exec(bare);
    if (!found || /^[\p{L}\d_-]*\p{L}/u.test(found[2].trimStart()) && !/^ ?(ms|s|USD|p|pp|z|of|×|%|Kč|CZK|EUR|\p{L}+)\b/u.test(found[2])) return null;
    const digits = document.documentElement.lang === "cs" ? found[1].replace(/ /g, "").replace(",", ".") : found[1].replace(/[ ,]/g, "");
    const value = Number(digits);
    if (Number.isNaN(value)) return null;
    return /^ ?s\b/.test(found[2]) ? value * 1000 : value;
  };

  const textOf = (cell) => {
    const given = cell.querySelector("[data-sort]");
    if (given) return given.dataset.sort;
    const inside = cell.querySelector(".what") ?? cell;
    return seen(inside.querySelector(".value") ?? inside);
  };

  const isEmpty = (cell) => textOf(cell) === "–" || textOf(cell) === "" || (!cell.querySelector(".value, [data-sort]") && cell.querySelector(".why") !== null);

  const order = (table, at, sign) => {
    for (const body of table.tBodies) {
      const width = table.tHead.rows[0].cells.length;
      const rows = [...body.rows].filter((row) => row.cells.length === width && !row.classList.contains("apart"));
      const keyed = rows.map((row) => ({ row, empty: isEmpty(row.cells[at]), text: textOf(row.cells[at]), value: numberOf(textOf(row.cells[at])) }));
      const isNumeric = keyed.every((one) => one.empty || one.value !== null);
      keyed.sort((a, b) => {
        if (a.empty !== b.empty) return a.empty ? 1 : -1;
        const way = isNumeric ? a.value - b.value : a.text.localeCompare(b.text, document.documentElement.lang, { numeric: true });
        return sign * way;
      });
      const last = [...body.rows].filter((row) => row.classList.contains("apart"));
      for (const one of keyed) body.append(one.row);
      for (const row of last) body.append(row);
    }
  };

  const makeSorting = (table) => {
    const headings = [...table.tHead.rows[0].cells];
    headings.forEach((heading, at) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...heading.childNodes);
      const hint = document.createElement("span");
      hint.className = "sr";
      hint.append(": ", word("by"));
      const arrow = document.createElement("span");
      arrow.className = "arrow";
      arrow.setAttribute("aria-hidden", "true");
      button.append(arrow, hint);
      heading.append(button);
      button.addEventListener("click", () => {
        const sign = heading.getAttribute("aria-sort") === "ascending" ? -1 : 1;
        for (const other of headings) other.removeAttribute("aria-sort");
        heading.setAttribute("aria-sort", sign === 1 ? "ascending" : "descending");
        order(table, at, sign);
      });
    });
  };

  const makeFilter = (table, rows) => {
    const box = document.createElement("p");
    box.className = "table-filter";
    const label = document.createElement("label");
    const input = document.createElement("input");
    input.type = "search";
    label.append(word("filter"), " ", input);
    const told = document.createElement("span");
    told.setAttribute("role", "status");
    const output = document.createElement("b");
    const none = word("none");
    output.textContent = String(rows.length);
    none.hidden = true;
    told.append(word("shown"), ": ", output, " ", none);
    box.append(label, told);
    (table.closest(".scroll") ?? table).before(box);
    input.addEventListener("input", () => {
      const wanted = plain(input.value.trim());
      let shown = 0;
      for (const row of rows) {
        row.hidden = !plain(seen(row)).includes(wanted);
        shown += row.hidden ? 0 : 1;
      }
      output.textContent = String(shown);
      none.hidden = shown > 0;
    });
  };

  for (const table of document.querySelectorAll("main table")) {
    const head = table.tHead?.rows;
    if (!head || head.length !== 1 || table.matches(".matrix, .fields, .log, .calculator table")) continue;
    if ([...head[0].cells].some((cell) => cell.colSpan > 1 || cell.tagName !== "TH")) continue;
    const rows = [...table.tBodies].flatMap((body) => [...body.rows]);
    const whole = rows.filter((row) => row.cells.length === head[0].cells.length);
    if (whole.length < 2 || (whole.length < rows.length && !table.matches(".board"))) continue;
    makeSorting(table);
    if (whole.length >= MIN_FILTER && whole.length === rows.length) makeFilter(table, whole);
  }
})();
