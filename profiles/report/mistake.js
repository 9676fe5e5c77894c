"use strict";
(() => {
  for (const form of document.querySelectorAll(".mistake-form")) {
    const need = form.querySelector(".need");
    const done = form.querySelector(".done");
    const mail = form.querySelector(".mail");
    form.hidden = false;

    const told = () => ({
      kind: "zkusebna-mistake",
      reported: new Date().toISOString().slice(0, 10),
      ...JSON.parse(form.dataset.about),
      part: form.elements.part.value,
      wrong: form.elements.wrong.value.trim(),
      right: form.elements.right.value.trim(),
      who: form.elements.who.value.trim(),
    });

    form.noValidate = true;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const found = told();
      need.hidden = found.wrong !== "";
      done.hidden = found.wrong === "";
      if (found.wrong === "") {
        form.elements.wrong.focus();
        return;
      }
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([`${JSON.stringify(found, null, 2)}\n`], { type: "application/json" }));
      link.download = `mistake-${found.case_id}.json`;
      link.click();
      URL.revokeObjectURL(link.href);
    });

    mail?.addEventListener("click", () => {
      const subject = document.documentElement.lang === "en" ? form.dataset.subjectEn : form.dataset.subjectCs;
      const body = JSON.stringify(told(), null, 2);
      mail.href = `mailto:${form.dataset.contact}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
    });
  }
})();
