// Lists the elements that a selector finds: [tag, label, hidden, disabled] each. Loops only: a page may have changed what arrays can do.
(elements) => {
  const out = [];
  for (let i = 0; i < elements.length && i < 300; i++) {
    const element = elements[i], box = element.getBoundingClientRect(), style = getComputedStyle(element);
    const words = element.innerText || element.value || element.getAttribute("aria-label") || element.title || "";
    const hidden = box.width < 1 || box.height < 1 || style.visibility !== "visible";
    const disabled = element.matches(":disabled") || element.getAttribute("aria-disabled") === "true";
    out[i] = [element.tagName.toLowerCase(), String(words).replace(/\s+/g, " ").trim().slice(0, 60), hidden, disabled];
  }
  return out;
}
