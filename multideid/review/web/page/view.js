// The text of a note with its spans in colour. Each line is an element of its own, and only
// lines that change are made again, so that long notes stay quick.

import { countBelow } from "./offsets.js";
import { colour, make } from "./dom.js";
import { sameSpan } from "./note.js";

const UNSURE = 0.8;
/** Lines in a block, which the browser draws only when it comes into sight. */
const BLOCK = 40;

export class View {
  constructor(root, labels) {
    this.root = root;
    this.labels = labels;
    this.offsetOf = new WeakMap();
    this.current = null;
    this.painted = new Map();
  }

  show(note) {
    this.note = note;
    this.findLines();
    this.elements = this.starts.map((_, n) => this.makeLine(n));
    const blocks = [];
    for (let n = 0; n < this.elements.length; n += BLOCK) {
      blocks.push(make("div", { class: "block" }, ...this.elements.slice(n, n + BLOCK)));
    }
    this.root.replaceChildren(...blocks);
    this.mark(null);
  }

  clear() {
    this.root.replaceChildren();
    for (const name of this.painted.keys()) CSS.highlights.delete(name);
    this.painted.clear();
  }

  findLines() {
    this.starts = [0];
    this.ends = [];
    for (const end of this.note.text.matchAll(/\r\n|\n|\r/g)) {
      this.ends.push(end.index);
      this.starts.push(end.index + end[0].length);
    }
    this.ends.push(this.note.text.length);
  }

  lineAt(offset) {
    return countBelow(this.starts, offset + 1) - 1;
  }

  makeLine(n) {
    const [start, end] = [this.starts[n], this.ends[n]];
    const element = make("div", { class: "line", dir: "auto" });
    const spans = this.note.spans;
    let done = start;
    // Spans are sorted, so those of a line follow one another.
    for (let k = this.firstAfter(spans, start); k < spans.length && spans[k].start < end; k++) {
      const from = Math.max(spans[k].start, start);
      const to = Math.min(spans[k].end, end);
      if (from >= to) continue;
      this.addText(element, done, from);
      element.append(this.makeMark(spans[k], from, to));
      done = to;
    }
    this.addText(element, done, end);
    return element;
  }

  firstAfter(spans, offset) {
    let low = 0;
    let high = spans.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (spans[middle].end <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  makeMark(span, from, to) {
    const proposal = this.note.proposalOf(span);
    const kinds = ["phi"];
    if (!proposal) kinds.push("mine");
    else if (proposal.score != null && proposal.score < UNSURE) kinds.push("unsure");
    if (to === span.end) kinds.push("last");
    const mark = make("mark", { class: kinds.join(" "), "data-label": span.label });
    colour(mark, this.labels, span.label);
    this.addText(mark, from, to);
    mark.span = span;
    return mark;
  }

  addText(parent, start, end) {
    if (start >= end) return;
    const text = document.createTextNode(this.note.text.slice(start, end));
    this.offsetOf.set(text, start);
    parent.append(text);
  }

  /** Draws the lines again in which spans have changed. */
  update(changed) {
    const lines = new Set();
    for (const span of changed) {
      for (let n = this.lineAt(span.start); n <= this.lineAt(span.end - 1); n++) lines.add(n);
    }
    for (const n of lines) {
      const line = this.makeLine(n);
      this.elements[n].replaceWith(line);
      this.elements[n] = line;
    }
  }

  /** Shows which span is the current one, and scrolls to it. */
  mark(span) {
    for (const mark of this.root.querySelectorAll("mark.on")) mark.classList.remove("on");
    this.current = span;
    if (!span) return;
    for (let n = this.lineAt(span.start); n <= this.lineAt(span.end - 1); n++) {
      for (const mark of this.elements[n].querySelectorAll("mark")) {
        if (sameSpan(mark.span, span)) mark.classList.add("on");
      }
    }
    this.scrollTo(span.start);
  }

  scrollTo(offset) {
    const line = this.elements[this.lineAt(offset)];
    const range = this.range(offset, offset + 1);
    const box = (range ?? line).getBoundingClientRect();
    const frame = this.root.getBoundingClientRect();
    if (box.top < frame.top + 40 || box.bottom > frame.bottom - 60) {
      this.root.scrollTop += box.top - frame.top - frame.height / 3;
    }
  }

  /** Returns the part of the page that shows a part of the text; null if it shows nothing. */
  range(start, end) {
    const from = this.place(start);
    const to = this.place(end - 1);
    if (!from || !to) return null;
    const range = document.createRange();
    range.setStart(...from);
    range.setEnd(to[0], to[1] + 1);
    return range;
  }

  place(offset) {
    const line = this.elements[this.lineAt(offset)];
    const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const at = offset - this.offsetOf.get(walker.currentNode);
      if (at >= 0 && at < walker.currentNode.length) return [walker.currentNode, at];
    }
    return null;
  }

  /** Returns the offset in the text of a place in the page. */
  offsetAt(node, inside) {
    if (this.offsetOf.has(node)) return this.offsetOf.get(node) + inside;
    const child = node.childNodes[inside];
    const walker = document.createTreeWalker(child ?? node, NodeFilter.SHOW_TEXT);
    const text = child?.nodeType === Node.TEXT_NODE ? child : walker.nextNode();
    if (text && this.offsetOf.has(text)) {
      return this.offsetOf.get(text) + (child ? 0 : text.length);
    }
    const line = (node.nodeType === Node.ELEMENT_NODE ? (child ?? node) : node.parentElement)
      .closest?.(".line");
    const n = this.elements.indexOf(line);
    return n < 0 ? null : this.starts[n];
  }

  /**
   * Paints parts of the text without changing the page's elements. Only what changes is made
   * again, and ranges are static: the browser visits every other one at each change of the page.
   */
  paint(name, parts) {
    if (!window.Highlight) return;
    const before = this.painted.get(name) ?? new Map();
    const after = new Map();
    for (const { start, end } of parts) {
      const key = `${start} ${end}`;
      const range = holds(before.get(key)) ? before.get(key) : this.staticRange(start, end);
      if (range) after.set(key, range);
    }
    this.painted.set(name, after);
    if (!CSS.highlights.has(name)) CSS.highlights.set(name, new Highlight());
    const shown = CSS.highlights.get(name);
    for (const [key, range] of before) if (after.get(key) !== range) shown.delete(range);
    for (const [key, range] of after) if (before.get(key) !== range) shown.add(range);
  }

  staticRange(start, end) {
    const from = this.place(start);
    const to = this.place(end - 1);
    if (!from || !to) return null;
    return new StaticRange({
      startContainer: from[0],
      startOffset: from[1],
      endContainer: to[0],
      endOffset: to[1] + 1,
    });
  }
}

/** Returns whether the lines of a range were not drawn again. */
const holds = (range) =>
  Boolean(range?.startContainer.isConnected && range.endContainer.isConnected);
