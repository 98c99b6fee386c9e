// The word at which one stands, and the words that are selected from there.

export class Cursor {
  constructor(view) {
    this.view = view;
    this.clear();
  }

  clear() {
    this.anchor = null;
    this.focus = null;
  }

  /** Stands at the word at an offset. */
  put(offset) {
    this.focus = this.view.note.tokenAt(offset);
    this.anchor = null;
  }

  /** Selects a part of the text. */
  select({ start, end }) {
    this.anchor = this.view.note.tokenAt(start);
    this.focus = this.view.note.tokenAt(end - 1);
  }

  get note() {
    return this.view.note;
  }

  /** The selected words; null if there are none. */
  get selection() {
    if (this.anchor === null) return null;
    const [first, last] = [this.anchor, this.focus].sort((a, b) => a - b);
    return { start: this.note.starts[first], end: this.note.ends[last] };
  }

  /** The word at which one stands; null without one. */
  get word() {
    if (this.focus === null || this.focus < 0) return null;
    return { start: this.note.starts[this.focus], end: this.note.ends[this.focus] };
  }

  move(direction, extend) {
    if (!this.note.starts.length) return;
    const from = this.focus ?? -1;
    if (extend && this.anchor === null) this.anchor = Math.max(from, 0);
    if (!extend) this.anchor = null;
    const steps = { left: () => from - 1, right: () => from + 1 };
    const to = steps[direction]?.() ?? this.inNextLine(from, direction === "down" ? 1 : -1);
    this.focus = Math.min(Math.max(to, 0), this.note.starts.length - 1);
  }

  /** Returns the word that is nearest below or above. */
  inNextLine(from, by) {
    if (from < 0) return 0;
    const { view, note } = this;
    const here = view.range(note.starts[from], note.ends[from])?.getBoundingClientRect();
    if (!here) return from;
    let best = from;
    let line = null;
    for (let n = from + by; n >= 0 && n < note.starts.length; n += by) {
      const box = view.range(note.starts[n], note.ends[n])?.getBoundingClientRect();
      if (!box) continue;
      const away = (box.top - here.top) * by;
      if (away < here.height / 2) continue;
      line ??= box.top;
      if (Math.abs(box.top - line) > here.height / 2) break;
      if (best === from || distance(box, here) < distance(this.boxOf(best), here)) best = n;
    }
    return best;
  }

  boxOf(n) {
    return this.view.range(this.note.starts[n], this.note.ends[n]).getBoundingClientRect();
  }

  paint(inSpan) {
    const { word, selection, view } = this;
    view.paint("word", word && !selection && !inSpan ? [word] : []);
    view.paint("selection", selection ? [selection] : []);
    if (word) view.scrollTo(word.start);
  }
}

const distance = (a, b) => Math.abs(a.left - b.left);
