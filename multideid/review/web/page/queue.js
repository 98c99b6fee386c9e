// The list of notes. Only the rows in sight are elements, so that thousands stay quick.

import { byId, isolated, make } from "./dom.js";
import { post } from "./api.js";

const HEIGHT = 40;
const BEYOND = 8;
const STATES = ["not begun", "begun", "accepted"];
const SIGNS = ["○", "◐", "●"];
const WAIT = 200;

export class Queue {
  constructor(open, onSearch) {
    this.open = open;
    this.onSearch = onSearch;
    this.wanted = "";
    this.notes = [];
    this.disputed = new Set();
    this.shown = [];
    this.found = null;
    this.current = null;
    this.list = byId("list");
    this.rows = byId("rows");
    this.list.addEventListener("scroll", () => this.draw(), { passive: true });
    this.list.addEventListener("keydown", (event) => this.onKey(event));
    byId("filter").addEventListener("change", () => this.choose());
    byId("search").addEventListener("input", () => this.searchSoon());
    new ResizeObserver(() => this.draw()).observe(this.list);
  }

  fill({ notes, disputed }) {
    this.notes = notes.map(([number, id, state, read, failed]) => ({
      number, id, state, read, failed,
    }));
    this.disputed = new Set(disputed);
    this.choose();
  }

  note(number) {
    return this.notes.find((note) => note.number === number);
  }

  /** Whether there was a note that the model had not read. */
  get unread() {
    return this.notes.some((note) => !note.read);
  }

  searchSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.search(), WAIT);
  }

  async search() {
    const text = byId("search").value.trim();
    const found = text ? new Set((await post("/api/search", { text })).notes) : null;
    if (text !== byId("search").value.trim()) return;
    this.found = found;
    this.wanted = text;
    this.choose();
    this.onSearch();
  }

  /** Shows the notes that the filter and the search leave. */
  choose() {
    const wanted = {
      all: () => true,
      open: (note) => note.state < 2,
      accepted: (note) => note.state === 2,
      disputed: (note) => this.disputed.has(note.number),
    }[byId("filter").value];
    this.shown = this.notes.filter(
      (note) => wanted(note) && (this.found?.has(note.number) ?? true),
    );
    const [shown, all] = [this.shown.length, this.notes.length].map((n) => n.toLocaleString("en"));
    byId("count").textContent = shown === all ? `${all} notes` : `${shown} of ${all} notes`;
    byId("nothing").hidden = this.shown.length > 0;
    byId("nothing").textContent = this.shown.length ? "" : this.whyNothing();
    this.rows.style.height = `${this.shown.length * HEIGHT}px`;
    this.draw();
    this.tellProgress();
  }

  /** Says why the list is empty, and how it is filled. */
  whyNothing() {
    if (!this.notes.length) return "This review has no notes.";
    if (this.wanted) return `No note here has “${this.wanted}” in its text or name.`;
    return {
      all: "",
      open: "You have accepted all notes.",
      accepted: "You have accepted no note yet.",
      disputed: "Nothing to adjudicate. A note comes here when two reviewers have accepted it with different spans.",
    }[byId("filter").value];
  }

  tellProgress() {
    const done = this.notes.filter((note) => note.state === 2).length;
    byId("progress").value = this.notes.length ? done / this.notes.length : 0;
    const [part, all] = [done, this.notes.length].map((n) => n.toLocaleString("en"));
    byId("progress-text").textContent = `${part} of ${all} accepted`;
  }

  setState(number, layer) {
    const note = this.note(number);
    const state = layer.accepted ? 2 : 1;
    if (!note || note.state === state) return;
    note.state = state;
    this.draw();
    this.tellProgress();
  }

  select(number) {
    this.current = number;
    const n = this.shown.findIndex((note) => note.number === number);
    const top = n * HEIGHT;
    const { scrollTop, clientHeight } = this.list;
    if (n >= 0 && (top < scrollTop || top + HEIGHT > scrollTop + clientHeight)) {
      this.list.scrollTop = top - clientHeight / 3;
    }
    this.draw();
  }

  /** Returns the number of the note that is `by` places away in the list; null at its ends. */
  neighbour(by) {
    const n = this.shown.findIndex((note) => note.number === this.current);
    return this.shown[n + by]?.number ?? null;
  }

  /** Returns the number of the next note that is not accepted. */
  nextOpen() {
    const n = this.shown.findIndex((note) => note.number === this.current);
    const order = [...this.shown.slice(n + 1), ...this.shown.slice(0, Math.max(n, 0))];
    return order.find((note) => note.state < 2)?.number ?? null;
  }

  onKey(event) {
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (!(event.key in steps) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const next = this.neighbour(steps[event.key]) ?? (this.current ? null : this.shown[0]?.number);
    if (next !== null && next !== undefined) this.open(next, { stay: true });
  }

  draw() {
    const first = Math.max(Math.floor(this.list.scrollTop / HEIGHT) - BEYOND, 0);
    const count = Math.ceil(this.list.clientHeight / HEIGHT) + 2 * BEYOND;
    const part = this.shown.slice(first, first + count);
    this.rows.replaceChildren(...part.map((note, n) => this.row(note, first + n)));
    const current = byId(`note-${this.current}`);
    if (current) this.list.setAttribute("aria-activedescendant", current.id);
    else this.list.removeAttribute("aria-activedescendant");
  }

  row(note, place) {
    const disputed = this.disputed.has(note.number);
    const words = [STATES[note.state]];
    if (disputed) words.push("reviewers differ");
    if (note.failed) words.push("the model failed");
    const row = make(
      "div",
      {
        id: `note-${note.number}`,
        class: `row state-${note.state}`,
        role: "option",
        "aria-selected": String(note.number === this.current),
        "aria-setsize": this.shown.length,
        "aria-posinset": place + 1,
        onclick: () => this.open(note.number),
      },
      make("span", { class: "sign", "aria-hidden": "true" }, SIGNS[note.state]),
      isolated(note.id, "span", { class: "id" }),
      make("span", { class: "hidden" }, `, ${words.join(", ")}`),
    );
    if (disputed) row.append(make("span", { class: "badge", "aria-hidden": "true" }, "differ"));
    if (note.failed) row.append(make("span", { class: "badge", "aria-hidden": "true" }, "failed"));
    row.style.top = `${place * HEIGHT}px`;
    return row;
  }
}
