// The keyboard. Single keys can be switched off (WCAG 2.1.4); with Ctrl they always work.

import { byId, make } from "./dom.js";

const OFF = "multideid-keys-off";

export const KEYS = [
  ["Spans", [
    ["n", "next span", "nextSpan"],
    ["p", "previous span", "previousSpan"],
    ["m", "next place that only some systems see", "nextHint"],
    ["1 … 9", "give a label to the span or selection", null],
    ["l", "give any label, by its name", "chooseLabel"],
    ["Enter", "label the selection as last time", "labelAsLast"],
    ["d", "delete the span (also Delete)", "remove"],
    ["a", "label all of the same in this note", "labelSame"],
    ["x", "delete all of the same in this note", "removeSame"],
  ]],
  ["Borders", [
    ["q", "start one word earlier", "startBack"],
    ["w", "start one word later", "startOn"],
    ["e", "end one word earlier", "endBack"],
    ["r", "end one word later", "endOn"],
  ]],
  ["Words", [
    ["← →", "move through the words", null],
    ["↑ ↓", "move through the lines", null],
    ["Shift + arrows", "select words", null],
    ["Escape", "select nothing", null],
  ]],
  ["Notes", [
    ["y", "accept the note, go to the next (also Ctrl + Enter)", "acceptNext"],
    ["Shift + N", "next note", "nextNote"],
    ["Shift + P", "previous note", "previousNote"],
    ["z", "undo (also Ctrl + Z)", "undo"],
    ["Shift + Z", "redo (also Ctrl + Shift + Z)", "redo"],
    ["s", "adjudication: take what the next reviewer says", "takeNext"],
    ["/", "search in all notes", "search"],
    ["?", "this list", "help"],
  ]],
];

const SINGLE = new Map(
  KEYS.flatMap(([, rows]) => rows)
    .filter(([, , command]) => command)
    .map(([key, , command]) => [key.replace("Shift + ", "⇧").toLowerCase(), command]),
);
SINGLE.set("delete", "remove").set("backspace", "remove").set("⇧?", "help").set("⇧/", "search");

const ARROWS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };

/** Returns the command of a key, with its argument; null if it has none. */
function commandOf(event, inNote) {
  const key = event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey) {
    if (key === "enter") return ["acceptNext"];
    if (key === "z") return [event.shiftKey ? "redo" : "undo"];
    return null;
  }
  if (event.altKey) return null;
  if (key === "escape") return ["escape"];
  if (event.key in ARROWS) return inNote ? ["move", ARROWS[event.key], event.shiftKey] : null;
  if (localStorage.getItem(OFF)) return null;
  if (/^[1-9]$/.test(event.key)) return ["labelNumber", Number(event.key) - 1];
  if (key === "enter" && !inNote) return null;
  const command = SINGLE.get((event.shiftKey ? "⇧" : "") + key);
  return command ? [command] : null;
}

export function listen(run) {
  document.addEventListener("keydown", (event) => {
    const target = event.target;
    if (target.closest("dialog, input, select, textarea")) return;
    const command = commandOf(event, target.closest("#note") || target === document.body);
    if (!command) return;
    event.preventDefault();
    run(...command);
  });
}

export function fillHelp() {
  const groups = KEYS.map(([title, rows]) =>
    make(
      "section",
      {},
      make("h3", {}, title),
      make("dl", {}, ...rows.map(([key, what]) =>
        make("div", {}, make("dt", {}, make("kbd", {}, key)), make("dd", {}, what)))),
    ));
  const single = make("input", { type: "checkbox", id: "single" });
  single.checked = !localStorage.getItem(OFF);
  single.addEventListener("change", () => {
    if (single.checked) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, "1");
  });
  byId("help").replaceChildren(
    make("h2", { id: "help-title", tabindex: -1, autofocus: true }, "Keys"),
    make("div", { class: "columns" }, ...groups),
    make("p", {}, single, make("label", { for: "single" }, "Single keys are on (arrows, Escape, Ctrl + Enter and Ctrl + Z work in any case)")),
    make("form", { method: "dialog" }, make("button", {}, "Close")),
  );
}
