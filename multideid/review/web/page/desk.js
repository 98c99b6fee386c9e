// What the page shows, and the commands that keys and buttons give. A command waits for the one
// before it, and a decision is shown when the server has it on disk.

import { announce, byId } from "./dom.js";
import { get, post } from "./api.js";
import { adjudication } from "./adjudication.js";
import { Cursor } from "./cursor.js";
import { Inspector } from "./inspector.js";
import { Note, percent, sameSpan } from "./note.js";
import { Queue } from "./queue.js";
import { View } from "./view.js";

const UNREAD_WAIT = 500;

export class Desk {
  constructor(facts, dialogs) {
    this.facts = facts;
    this.dialogs = dialogs;
    this.view = new View(byId("note"), facts.labels);
    this.cursor = new Cursor(this.view);
    this.inspector = new Inspector(facts.labels, this.actions());
    this.queue = new Queue(
      (number, options) => this.run("open", number, options),
      () => this.run("paintFound"),
    );
    this.note = null;
    this.span = null;
    // Of the note that is open, whatever the list shows by now.
    this.adjudicates = false;
    this.lastLabel = facts.labels[0];
    byId("reviewer").textContent = facts.reviewer;
    byId("reviewer").title = "Your decisions are kept under this name";
    this.work = Promise.resolve();
    byId("filter").addEventListener("change", () => this.run("refilter"));
    byId("note").addEventListener("mouseup", (event) => this.onMouse(event));
    for (const name of ["undo", "redo"]) {
      byId(name).addEventListener("click", () => this.run(name));
    }
    byId("accept").addEventListener("click", () => this.run("acceptNext"));
  }

  actions() {
    return {
      label: (label) => this.run("label", label),
      remove: () => this.run("remove"),
      labelSame: () => this.run("labelSame"),
      removeSame: () => this.run("removeSame"),
      take: (part, spans) => this.run("take", part, spans),
      goTo: (part) => this.run("goTo", part),
      isTaken: (part, spans) => this.isTaken(part, spans),
    };
  }

  /** Lets a command begin when those before it are done. */
  run(command, ...values) {
    this.work = this.work
      .then(() => this[command](...values))
      .catch((error) => this.fail(error));
    return this.work;
  }

  fail(error) {
    byId("saved").className = "saved failed";
    byId("saved").textContent = `Not saved: ${error.message}`;
    announce(byId("saved").textContent);
    if (error.status === 409 && this.note) return this.open(this.note.number, { stay: true });
    // A span that was to be made is not there.
    if (this.span && !this.note?.spans.some((one) => sameSpan(one, this.span))) this.escape();
    return null;
  }

  async refreshQueue() {
    this.queue.fill(await get("/api/queue"));
  }

  /** Shows a note that the filter leaves. Only what others change is asked for again. */
  async refilter() {
    const adjudicates = byId("filter").value === "disputed";
    if (adjudicates || (this.facts.model && this.queue.unread)) await this.refreshQueue();
    const stays = this.note && adjudicates === this.adjudicates
      && this.queue.shown.some((note) => note.number === this.note.number);
    if (!stays) await this.openShown();
  }

  /** Shows a note of the list, which may be another one now. */
  async reopen() {
    await this.refreshQueue();
    await this.openShown();
  }

  async openShown() {
    const number = this.queue.shown.some((note) => note.number === this.queue.current)
      ? this.queue.current
      : this.queue.shown[0]?.number;
    if (number) await this.open(number, { stay: true });
    else this.close();
  }

  /** Shows no note, so that none is decided on that the list does not have. */
  close() {
    clearTimeout(this.waiting);
    [this.note, this.span, this.adjudicates, this.warning] = [null, null, false, ""];
    this.queue.select(null);
    this.view.clear();
    this.cursor.clear();
    this.draw();
  }

  async open(number, { stay = false } = {}) {
    clearTimeout(this.waiting);
    const adjudicates = byId("filter").value === "disputed";
    const query = adjudicates ? "?adjudication=true" : "";
    this.note = new Note(await get(`/api/notes/${number}${query}`));
    this.adjudicates = adjudicates;
    this.warning = "";
    this.span = null;
    this.queue.select(number);
    this.view.show(this.note);
    this.paintParts();
    this.cursor.clear();
    this.view.root.scrollTop = 0;
    byId("queue").classList.remove("open");
    byId("show-queue").setAttribute("aria-expanded", "false");
    this.draw();
    this.paintFound();
    if (!stay) byId("note").focus({ preventScroll: true });
    const n = this.note.spans.length;
    const found = this.note.read ? `${n} spans` : "not read by the model yet";
    announce(`${this.note.id}, ${byId("state").textContent || "not accepted"}, ${found}`);
    if (!this.note.read) {
      this.waiting = setTimeout(() => this.run("openAgain", number), UNREAD_WAIT);
    }
  }

  openAgain(number) {
    return this.note?.number === number ? this.open(number, { stay: true }) : null;
  }

  /** Shows the present state of the note everywhere. */
  draw() {
    const { note, span } = this;
    byId("title").textContent = note?.id ?? "No note";
    byId("state").textContent = this.stateOf(note);
    byId("accept").textContent = note?.accepted ? "Next" : "Accept";
    byId("accept").disabled = !note?.read;
    byId("undo").disabled = !note?.canUndo;
    byId("redo").disabled = !note?.canRedo;
    byId("problem").textContent = this.problemOf(note);
    byId("problem").hidden = !byId("problem").textContent;
    byId("problem").classList.toggle("waiting", Boolean(note && !note.read));
    if (note) {
      this.view.mark(span);
      this.cursor.paint(span !== null);
    }
    this.inspector.show(note, span, span ? null : this.cursor.selection, this.adjudicates);
  }

  problemOf(note) {
    if (!note || this.warning) return this.warning;
    if (!note.read) return "The model has not read this note yet; it is next.";
    return note.problem
      ? `The model ${note.problem}: nothing is marked here unless you mark it.`
      : "";
  }

  stateOf(note) {
    if (this.adjudicates) return note.accepted ? "adjudicated" : "adjudication";
    return note?.accepted ? "accepted" : "";
  }

  /** Shows where the note has the words of the search, and scrolls to the first. */
  paintFound() {
    if (!this.note) return;
    const places = this.note.placesOf(this.queue.wanted);
    this.view.paint("found", places);
    if (places.length) this.view.scrollTo(places[0].start);
  }

  /** Underlines what only some systems found, and where reviewers differ. */
  paintParts() {
    this.view.paint("hint", this.note.hints);
    this.view.paint("difference", this.adjudicates ? this.note.differences : []);
  }

  // Decisions.

  async decide({ removed = [], added = [], accepted = null }, words) {
    const { note } = this;
    if (!note) return announce("There is no note");
    if (!note.read) return announce("The model has not read this note yet");
    const values = (spans) => spans.map((span) => note.valuesOf(span));
    const decision = { removed: values(removed), added: values(added), accepted };
    await this.step("decisions", decision, words);
    return null;
  }

  async step(kind, content, words) {
    const { note } = this;
    byId("saved").textContent = "Saving…";
    const version = { version: note.version, adjudication: this.adjudicates };
    const layer = await post(`/api/notes/${note.number}/${kind}`, { ...content, ...version });
    this.view.update(note.change(layer));
    this.warning = "";
    this.paintParts();
    this.view.paint("found", note.placesOf(this.queue.wanted));
    byId("saved").className = "saved";
    byId("saved").textContent = "Saved";
    if (!this.adjudicates) this.queue.setState(note.number, layer);
    if (this.span && !note.spans.some((one) => sameSpan(one, this.span))) {
      this.span = null;
    }
    this.draw();
    announce(words);
  }

  undo() {
    return this.note?.canUndo ? this.step("undo", {}, "Undone") : null;
  }

  redo() {
    return this.note?.canRedo ? this.step("redo", {}, "Repeated") : null;
  }

  async acceptNext() {
    if (!this.note || this.leavesOut()) return;
    if (!this.note.accepted) await this.decide({ accepted: true }, `${this.note.id} accepted`);
    if (!this.note.accepted) return;
    // Notes change their places when the model has read all of them.
    if (this.adjudicates || (this.facts.model && this.queue.unread)) await this.refreshQueue();
    const next = this.adjudicates ? this.queue.shown[0]?.number : this.queue.nextOpen();
    if (next) await this.open(next);
    else if (this.adjudicates) this.close();
    else announce("All notes in the list are accepted");
  }

  async label(label) {
    const place = this.note && (this.span ?? this.cursor.selection ?? this.cursor.word);
    if (!place || !label) return;
    this.lastLabel = label;
    const after = { start: place.start, end: place.end, label };
    const change = this.note.labelling([place], label);
    if (!change.added.length) return;
    const text = this.note.textOf(place);
    this.span = after;
    await this.decide(change, `${text} is ${label}`);
    this.cursor.put(place.start);
    this.draw();
  }

  labelNumber(n) {
    return this.label(this.facts.labels[n]);
  }

  labelAsLast() {
    return this.cursor.selection && !this.span ? this.label(this.lastLabel) : null;
  }

  async remove() {
    if (!this.span) return;
    const gone = this.span;
    await this.decide({ removed: [gone] }, `${gone.label} ${this.note.textOf(gone)} deleted`);
  }

  async labelSame() {
    if (!this.span) return;
    const { label } = this.span;
    const places = this.note.same(this.span);
    const change = this.note.labelling(places, label);
    if (!change.added.length) return;
    await this.decide(change, `${places.length} places are ${label}`);
  }

  async removeSame() {
    if (!this.span) return;
    const places = this.note.same(this.span);
    const same = (one) => places.some((p) => p.start === one.start && p.end === one.end);
    const removed = this.note.spans.filter(same);
    await this.decide({ removed }, `${removed.length} spans deleted`);
  }

  async border(side, by) {
    if (!this.span) return;
    const after = this.note.moved(this.span, side, by);
    if (!after) {
      announce("There is no room");
      return;
    }
    const before = this.span;
    this.span = after;
    await this.decide({ removed: [before], added: [after] }, this.note.textOf(after));
  }

  startBack() { return this.border("start", -1); }
  startOn() { return this.border("start", 1); }
  endBack() { return this.border("end", -1); }
  endOn() { return this.border("end", 1); }

  // Moves.

  goTo(part) {
    this.span = null;
    this.cursor.put(part.start);
    this.draw();
  }

  select(span) {
    this.span = span;
    this.cursor.put(span.start);
    this.draw();
    const n = this.note.spans.indexOf(span) + 1;
    const score = this.note.proposalOf(span)?.score;
    const sure = score == null ? "" : `, ${percent(score)}`;
    const text = this.note.textOf(span);
    announce(`${text}, ${span.label}${sure}, ${n} of ${this.note.spans.length}`);
  }

  /** Returns the part of a list that is next in a direction, beginning again at the end. */
  nextOf(parts, by) {
    const at = this.span?.start ?? this.cursor.word?.start ?? (by > 0 ? -1 : Infinity);
    const beyond = (part) => (by > 0 ? part.start > at : part.start < at);
    const inOrder = by > 0 ? parts : [...parts].reverse();
    return inOrder.find(beyond) ?? inOrder[0];
  }

  go(by) {
    if (!this.note) return;
    if (this.adjudicates && this.note.differences.length) {
      const part = this.nextOf(this.note.differences, by);
      this.goTo(part);
      announce(`Difference: ${part.choices.map(([name, spans]) =>
        `${name}: ${spans.map((s) => `${s.label} ${this.note.textOf(s)}`).join(", ") || "nothing"}`).join("; ")}`);
      return;
    }
    const span = this.nextOf(this.note.spans, by);
    if (span) this.select(span);
    else announce("There is no span");
  }

  nextSpan() { this.go(1); }
  previousSpan() { this.go(-1); }

  nextHint() {
    const hint = this.note && this.nextOf(this.note.hints, 1);
    if (!hint) {
      announce("There is no such place");
      return;
    }
    this.span = null;
    this.cursor.select(hint);
    this.draw();
    announce(`${this.note.textOf(hint)}: ${hint.votes} systems say ${hint.label}`);
  }

  move(direction, extend) {
    if (!this.note) return;
    if (this.span) this.cursor.put(direction === "right" ? this.span.end - 1 : this.span.start);
    this.cursor.move(direction, extend);
    const { word, selection } = this.cursor;
    this.span = selection || !word ? null : this.note.spanAt(word.start);
    this.draw();
    const part = selection ?? word;
    if (part) announce(`${this.note.textOf(part)}${this.span ? `, ${this.span.label}` : ""}`);
  }

  escape() {
    if (!this.note) return;
    this.cursor.clear();
    this.span = null;
    this.draw();
  }

  onMouse(event) {
    const chosen = getSelection();
    if (!this.note) return;
    const at = chosen.rangeCount
      ? this.view.offsetAt(chosen.focusNode, chosen.focusOffset)
      : null;
    const from = chosen.isCollapsed
      ? null
      : this.view.offsetAt(chosen.anchorNode, chosen.anchorOffset);
    chosen.removeAllRanges();
    const span = event.target.closest("mark")?.span;
    this.run("point", from, at, span ?? null);
  }

  point(from, at, span) {
    const part = from === null || at === null
      ? null
      : this.note.snapped(Math.min(from, at), Math.max(from, at));
    if (part) {
      this.span = null;
      this.cursor.select(part);
      this.draw();
    } else if (span) {
      this.select(span);
    } else if (at !== null) {
      this.span = null;
      this.cursor.put(at);
      this.draw();
    }
  }

  nextNote() { return this.openNeighbour(1); }
  previousNote() { return this.openNeighbour(-1); }

  openNeighbour(by) {
    const number = this.queue.neighbour(by);
    return number ? this.open(number) : announce("There is no other note");
  }

  search() { byId("search").focus(); }
  help() { this.dialogs.help(); }
  async chooseLabel() {
    if (!this.note) return;
    const label = await this.dialogs.label(this.facts.labels);
    byId("note").focus({ preventScroll: true });
    if (label) await this.label(label);
  }
}

Object.assign(Desk.prototype, adjudication);
