// Grading by keyboard; what is graded is kept in this browser until it is downloaded.
(() => {
  const suite = document.body.dataset.suite, KEY = `zkusebna-gallery-${suite}-${document.body.dataset.edition}`;
  const pages = [...document.querySelectorAll("article.page")];
  const who = document.getElementById("who"), when = document.getElementById("when");
  let at = 0, item = 0;
  const now = new Date();
  when.value = `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, "0")}-${String(now.getDate()).padStart(2, "0")}`;

  const sets = (page) => [...page.querySelectorAll("fieldset")];
  const valueOf = (set) => set.querySelector("input[type=radio]:checked")?.value ?? "";
  const reasonOf = (set) => set.querySelector(".reason").value.trim();
  const lacks = (set) => valueOf(set) !== "" && Number(valueOf(set)) < 1 && !reasonOf(set);

  const rows = () => pages.flatMap((page) => sets(page).filter((s) => valueOf(s) !== "" && !lacks(s)).map((s) => ({
    case: page.dataset.case, system: page.dataset.system, item: s.dataset.item, points: valueOf(s),
    who: who.value.trim(), when: when.value, reason: reasonOf(s), trial: page.dataset.trial,
  })));

  const told = () => {
    for (const page of pages) for (const set of sets(page)) set.classList.toggle("lacking", lacks(set));
    const lacking = pages.flatMap(sets).filter(lacks).length;
    document.getElementById("done").textContent = String(rows().length);
    document.getElementById("lacking").textContent = String(lacking);
    document.getElementById("lacking-told").hidden = lacking === 0;
  };
  const keep = () => {
    const kept = {};
    for (const page of pages) for (const set of sets(page)) {
      if (valueOf(set) !== "" || reasonOf(set)) {
        kept[[page.dataset.case, page.dataset.system, page.dataset.trial, set.dataset.item].join(" ")] = [valueOf(set), reasonOf(set)];
      }
    }
    try { localStorage.setItem(KEY, JSON.stringify({ who: who.value, kept })); } catch { /* a page on disk may have no storage */ }
    told();
  };
  const restore = () => {
    let saved = null;
    try { saved = JSON.parse(localStorage.getItem(KEY) ?? "null"); } catch { /* nothing was kept */ }
    if (!saved) return;
    who.value = saved.who;
    for (const page of pages) for (const set of sets(page)) {
      const [value, reason] = saved.kept[[page.dataset.case, page.dataset.system, page.dataset.trial, set.dataset.item].join(" ")] ?? ["", ""];
      if (value !== "") set.querySelector(`input[value="${value}"]`).checked = true;
      set.querySelector(".reason").value = reason;
    }
  };

  const show = (scroll = true) => {
    pages.forEach((page, n) => page.classList.toggle("current", n === at));
    pages.forEach((page, n) => sets(page).forEach((set, k) => set.classList.toggle("current", n === at && k === item)));
    if (scroll && pages[at]) { pages[at].scrollIntoView({ block: "start" }); pages[at].focus({ preventScroll: true }); }
  };
  const give = (value) => {
    const set = pages[at] && sets(pages[at])[item];
    if (!set) return;
    set.querySelector(`input[value="${value}"]`).checked = true;
    keep();
    if (Number(value) < 1) set.querySelector(".reason").focus();
    else if (item < sets(pages[at]).length - 1) { item += 1; show(false); }
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const field = event.target;
    if (field.matches?.("input:not([type=radio])")) {
      if (event.key === "Enter" || event.key === "Escape") {
        event.preventDefault();
        field.blur();
        if (field.classList.contains("reason") && item < sets(pages[at]).length - 1) item += 1;
        show(false);
      }
      return;
    }
    const acts = {
      j: () => { at = Math.min(at + 1, pages.length - 1); item = 0; show(); },
      k: () => { at = Math.max(at - 1, 0); item = 0; show(); },
      ArrowDown: () => { item = Math.min(item + 1, sets(pages[at]).length - 1); show(false); },
      ArrowUp: () => { item = Math.max(item - 1, 0); show(false); },
      0: () => give("0"), 5: () => give("0.5"), 1: () => give("1"),
      r: () => sets(pages[at])[item].querySelector(".reason").focus(),
      b: () => { const badges = pages[at].querySelector(".badges"); if (badges) badges.hidden = !badges.hidden; },
    };
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act || !pages.length) return;
    event.preventDefault();
    act();
  });
  document.addEventListener("input", keep);
  document.addEventListener("focusin", (event) => {
    const set = event.target.closest?.("fieldset");
    if (!set) return;
    at = pages.indexOf(set.closest("article"));
    item = sets(pages[at]).indexOf(set);
    show(false);
  });

  const COLUMNS = ["case", "system", "item", "points", "who", "when", "reason", "trial"];
  const cell = (text) => (/[",\n\r;\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  document.getElementById("download").addEventListener("click", () => {
    const nobody = !who.value.trim();
    document.getElementById("nobody").hidden = !nobody;
    if (nobody) { who.focus(); return; }
    const lines = [COLUMNS, ...rows().map((row) => COLUMNS.map((name) => cell(row[name])))].map((line) => line.join(","));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([`\ufeff${lines.join("\r\n")}\r\n`], { type: "text/csv" }));
    link.download = `grades-${suite}.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });

  restore();
  told();
  show(false);
})();
