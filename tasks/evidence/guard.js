// Runs in every frame before the page's own scripts: a flood of messages or errors must not bury the collector, and no caret blinks in a picture.
(() => {
  const quiet = () => {
    const most = 200, longest = 2000;
    let told = 0, thrown = 0;
    for (const name of ["log", "info", "debug", "warn", "error", "trace", "table", "dir", "dirxml", "assert", "count", "group", "groupCollapsed", "timeEnd", "timeLog"]) {
      const say = console[name];
      if (typeof say !== "function") continue;
      console[name] = function (...words) {
        if (told++ < most) say.apply(console, words.map((word) => typeof word === "string" ? word.slice(0, longest) : word));
      };
    }
    const hush = (event) => { if (thrown++ >= most) event.preventDefault(); };
    addEventListener("error", hush, true);
    addEventListener("unhandledrejection", hush, true);
  };
  quiet();

  // The same in workers: their code can only come from blobs, which are put behind ours.
  const blobs = new Map(), make = URL.createObjectURL, Native = self.Worker;
  URL.createObjectURL = function (thing) {
    const url = make.call(URL, thing);
    if (thing instanceof Blob && blobs.size < 1000) blobs.set(url, thing);
    return url;
  };
  if (Native) self.Worker = class Worker extends Native {
    constructor(url, ...more) {
      const blob = blobs.get(String(url));
      super(blob ? make.call(URL, new Blob([`(${quiet})();`, blob], { type: "text/javascript" })) : url, ...more);
    }
  };

  // Dialogs: the first twenty are real ones; a page that goes on gets its answer without one.
  let asked = 0;
  for (const [name, answer] of [["alert", undefined], ["confirm", true], ["prompt", "Test"]]) {
    const ask = self[name];
    self[name] = function (...words) { return asked++ < 20 ? ask.apply(self, words) : answer; };
  }

  // Windows: the first five are opened (and closed by the collector); further ones are blocked, as browsers do.
  let opened = 0;
  const open = self.open;
  self.open = function (...words) { return opened++ < 5 ? open.apply(self, words) : null; };

  try {
    const still = new CSSStyleSheet();
    still.replaceSync("* { caret-color: transparent !important }");
    document.adoptedStyleSheets = [still];
  } catch (_) { /* a document without style sheets */ }
})();
