"use strict";
(() => {
  const PAGE = 50;
  const [CORPUS, SYSTEM, KIND, DOCUMENT, START, END, LEAKS, BEFORE, TEXT, AFTER, SPANS] =
    Array(11).keys();
  const GOLD = -1;
  const find = (id) => document.getElementById(id);

  const source = find("mistakes");
  if (!source) return;
  const data = JSON.parse(source.textContent);
  const records = data.records;
  const form = find("filters");
  const list = find("list");
  const more = find("more");
  let matching = [];
  let shown = 0;

  // Text of documents only ever becomes text nodes.
  function element(tag, className, ...children) {
    const made = document.createElement(tag);
    if (className) made.className = className;
    made.append(...children);
    return made;
  }

  function fillSelect(id, names, any) {
    const select = find(id);
    if (any) select.append(new Option(any, ""));
    names.forEach((name, n) => select.append(new Option(name, n)));
    return select;
  }

  function fillKinds() {
    for (const [n, kind] of [...data.kinds, "leaking only"].entries()) {
      const box = element("input", "");
      box.type = "checkbox";
      box.id = n < data.kinds.length ? `kind-${n}` : "leaking";
      box.checked = box.defaultChecked = n < data.kinds.length;
      find("kinds").append(element("label", "", box, " ", kind));
    }
  }

  function fill() {
    fillSelect("corpus", data.corpora, "all");
    const system = fillSelect("system", data.systems, "all");
    const first = data.systems.indexOf(data.first);
    if (first >= 0) system.options[first + 1].defaultSelected = true;
    fillSelect("class", data.labels, "all");
    find("documents").append(...data.documents.slice(0, 2000).map((id) => new Option(id)));
    document.querySelector('[data-for="corpus"]').hidden = data.corpora.length < 2;
    fillKinds();
  }

  const folded = (text) => text.toLowerCase().replace(/\s+/g, " ");
  const chosen = (id) => (find(id).value === "" ? null : Number(find(id).value));

  function matches() {
    const kinds = data.kinds.map((_, n) => find(`kind-${n}`).checked);
    const [corpus, system, label] = ["corpus", "system", "class"].map(chosen);
    const id = find("document").value.trim().toLowerCase();
    const text = folded(find("text").value.trim());
    const leaking = find("leaking").checked;
    const documents = data.documents.map((name) => name.toLowerCase().includes(id));
    return (r) =>
      kinds[r[KIND]] &&
      (corpus === null || r[CORPUS] === corpus) &&
      (system === null || r[SYSTEM] === system) &&
      (!leaking || r[LEAKS] === 1) &&
      (!id || documents[r[DOCUMENT]]) &&
      (label === null || concerns(r, label)) &&
      (!text || folded(r[BEFORE] + r[TEXT] + r[AFTER]).includes(text));
  }

  // A class is concerned if it is the gold one or the one the system gave.
  const concerns = (r, label) =>
    r[SPANS].some(([who, l]) => l === label && (who === GOLD || who === r[SYSTEM]));

  const oneLine = (text) => text.replace(/[^\S\n]*\n\s*/g, " ↵ ");

  function spansOf(r, who) {
    const own = r[SPANS].filter((span) => span[0] === who);
    if (!own.length) return [element("span", "nothing", "nothing")];
    return own.map(([, label, , text]) =>
      element("span", "prediction", element("b", "", data.labels[label]), " ",
        element("bdi", "", oneLine(text))));
  }

  function row(r, who, name) {
    const agrees = who !== GOLD && same(r, who, GOLD);
    const mark = who === GOLD ? "" : agrees ? "right" : "wrong";
    const term = element("dt", who === r[SYSTEM] ? "own" : "", name);
    const sign = who === GOLD ? "" : agrees ? "✓ " : "✗ ";
    const symbol = element("span", "sign", sign);
    if (sign) {
      symbol.setAttribute("role", "img");
      symbol.setAttribute("aria-label", mark);
    }
    return element("div", mark, term, element("dd", "", symbol, ...spansOf(r, who)));
  }

  const others = (r) =>
    data.systems.map((name, who) => (who === r[SYSTEM] ? "" : row(r, who, name))).filter(Boolean);

  function same(r, a, b) {
    const own = (who) => JSON.stringify(r[SPANS].filter((s) => s[0] === who).map((s) => s.slice(1)));
    return own(a) === own(b);
  }

  function card(r) {
    const kind = element("span", `kind kind-${r[KIND]}`, data.kinds[r[KIND]]);
    const head = element("p", "head", kind, " ", element("span", "who", data.systems[r[SYSTEM]]));
    if (r[LEAKS]) head.append(" ", element("span", "leak", "leaks PHI"));
    const place = `${data.documents[r[DOCUMENT]]}, ${r[START]}–${r[END]}`;
    const where = data.corpora.length > 1 ? `${data.corpora[r[CORPUS]]}, ${place}` : place;
    head.append(" ", element("bdi", "where", where));
    const context = element("p", "context", element("span", "", oneLine(r[BEFORE])),
      element("mark", "", oneLine(r[TEXT])), element("span", "", oneLine(r[AFTER])));
    context.dir = "auto";
    const prediction = element("dl", "predictions", row(r, GOLD, "gold"),
      row(r, r[SYSTEM], data.systems[r[SYSTEM]]), ...others(r));
    return element("li", "", head, context, prediction);
  }

  function showMore() {
    const next = matching.slice(shown, shown + PAGE);
    list.append(...next.map(card));
    shown += next.length;
    more.hidden = shown >= matching.length;
    showCount();
  }

  function showCount() {
    const n = (value) => value.toLocaleString("en");
    const all = `${n(matching.length)} of ${n(records.length)} errors`;
    find("count").textContent =
      shown < matching.length ? `${all}; the first ${n(shown)} are shown` : all;
  }

  function refresh() {
    matching = records.filter(matches());
    list.replaceChildren();
    shown = 0;
    showMore();
  }

  let waiting = 0;
  function refreshSoon() {
    clearTimeout(waiting);
    waiting = setTimeout(refresh, 120);
  }

  fill();
  form.hidden = false;
  // Not every way to choose from a list is an input; a change it always is.
  for (const event of ["input", "change"]) form.addEventListener(event, refreshSoon);
  form.addEventListener("reset", () => setTimeout(refresh));
  form.addEventListener("submit", (event) => event.preventDefault());
  more.addEventListener("click", showMore);
  refresh();
})();
