// Whether the pointer reaches what is meant for it: [controls in the viewport, how many of them are covered, what covers most]. Runs in a world that the page cannot change.
(() => {
  const CONTROLS = "button, [role=button], input:not([type=hidden]), select, textarea, summary, a[href]";
  const covers = new Map();
  let there = 0, covered = 0;
  for (const element of document.querySelectorAll(CONTROLS)) {
    if (there === 200) break;
    const box = element.getClientRects()[0], style = getComputedStyle(element);
    if (!box || box.width < 1 || box.height < 1 || style.visibility !== "visible" || Number(style.opacity) === 0) continue;
    const x = box.left + box.width / 2, y = box.top + box.height / 2;
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight || element.matches(":disabled")) continue;
    there += 1;
    const top = document.elementFromPoint(x, y);
    const label = element.labels && [...element.labels].some((one) => one.contains(top));
    if (!top || element.contains(top) || label) continue;
    covered += 1;
    const name = `<${top.tagName.toLowerCase()}${top.id ? ` id="${top.id}"` : ""}${top.className && typeof top.className === "string" ? ` class="${top.className}"` : ""}>`;
    covers.set(name, (covers.get(name) || 0) + 1);
  }
  const most = [...covers].sort((a, b) => b[1] - a[1])[0];
  return [there, covered, most ? most[0].slice(0, 100) : ""];
})()
