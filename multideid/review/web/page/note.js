// A note: its text, tokens and spans. Offsets are in UTF-16 units here.

import { Offsets, countBelow } from "./offsets.js";

export const keyOf = ({ start, end, label }) => `${start} ${end} ${label}`;
export const sameSpan = (a, b) => Boolean(a && b) && keyOf(a) === keyOf(b);
export const overlap = (a, b) => a.start < b.end && b.start < a.end;

/** Returns by how much a system prefers a label to none, in few digits. */
export const signed = (margin) => `${margin < 0 ? "−" : "+"}${Math.abs(margin).toPrecision(2)}`;

/** A note is not searched for letters, but for names. */
const MOST_PLACES = 500;

/** Returns a probability in words; nothing but certainty is 100 %. */
export const percent = (score) =>
  score < 1 && score >= 0.995 ? "over 99 %" : `${Math.round(score * 100)} %`;

export class Note {
  constructor(values) {
    this.number = values.number;
    this.id = values.id;
    this.text = values.text;
    this.read = values.read;
    this.problem = values.problem;
    this.offsets = new Offsets(values.text);
    this.places = new Map();
    this.readTokens(values.tokens);
    this.proposed = values.proposed.map((span, n) => ({
      ...this.spanOf(span),
      score: values.scores[n],
    }));
    this.proposals = new Map(this.proposed.map((span) => [keyOf(span), span]));
    this.systems = Object.entries(values.systems).map(([name, spans]) => [
      name,
      spans.map((span, n) => ({ ...this.spanOf(span), margin: values.margins[name]?.[n] ?? null })),
    ]);
    this.differences = values.differences.map((part) => ({
      start: this.offsets.toUnits(part.start),
      end: this.offsets.toUnits(part.end),
      choices: Object.entries(part.choices).map(([name, spans]) => [
        name,
        spans.map((span) => this.spanOf(span)),
      ]),
    }));
    this.spans = values.layer.spans.map((span) => this.spanOf(span));
    this.found = this.countVotes();
    this.setState(values.layer);
  }

  readTokens(steps) {
    const words = [];
    let done = 0;
    for (let n = 0; n < steps.length; n += 2) {
      const start = done + steps[n];
      done = start + steps[n + 1];
      const units = [this.offsets.toUnits(start), this.offsets.toUnits(done)];
      // Line ends are tokens too, which nobody marks.
      if (this.text.slice(...units).trim()) words.push(units);
    }
    this.starts = words.map(([start]) => start);
    this.ends = words.map(([, end]) => end);
  }

  setState(layer) {
    this.version = layer.version;
    this.accepted = layer.accepted;
    this.canUndo = layer.can_undo;
    this.canRedo = layer.can_redo;
    this.hints = this.findHints();
  }

  /** Takes over what a decision has changed, and returns the spans that went and came. */
  change(layer) {
    const [removed, added] = [layer.removed, layer.added].map((spans) =>
      spans.map((span) => this.spanOf(span)));
    const gone = new Set(removed.map(keyOf));
    const kept = gone.size ? this.spans.filter((span) => !gone.has(keyOf(span))) : this.spans;
    this.spans = added.length ? [...kept, ...added].sort((a, b) => a.start - b.start) : kept;
    this.setState(layer);
    return [...removed, ...added];
  }

  spanOf([start, end, label]) {
    return { start: this.offsets.toUnits(start), end: this.offsets.toUnits(end), label };
  }

  valuesOf({ start, end, label }) {
    return [this.offsets.toPoints(start), this.offsets.toPoints(end), label];
  }

  textOf({ start, end }) {
    return this.text.slice(start, end);
  }

  /** Returns the index of the token at an offset, or else of the next one, or of the last. */
  tokenAt(offset) {
    return Math.min(countBelow(this.ends, offset + 1), this.ends.length - 1);
  }

  /** Returns the extent of whole tokens that covers a part of the text; null if it has none. */
  snapped(start, end) {
    const first = countBelow(this.ends, start + 1);
    const last = countBelow(this.starts, end) - 1;
    return first > last ? null : { start: this.starts[first], end: this.ends[last] };
  }

  spanAt(offset) {
    return this.spans.find((span) => span.start <= offset && offset < span.end) ?? null;
  }

  proposalOf(span) {
    return this.proposals.get(keyOf(span)) ?? null;
  }

  /** Returns what each system says where a span is. */
  saidAbout(span) {
    return this.systems.map(([name, spans]) => ({
      name,
      spans: spans.filter((one) => overlap(one, span)),
    }));
  }

  /** Returns what systems found, with the number of those that found it, most votes first. */
  countVotes() {
    const votes = new Map();
    for (const span of this.systems.flatMap(([, spans]) => spans)) {
      const counted = votes.get(keyOf(span)) ?? { ...span, votes: 0 };
      counted.votes += 1;
      votes.set(keyOf(span), counted);
    }
    return [...votes.values()].sort((a, b) => b.votes - a.votes);
  }

  /** Returns what only some systems found, where the layer has nothing. */
  findHints() {
    const taken = new Uint8Array(this.text.length);
    for (const { start, end } of this.spans) taken.fill(1, start, end);
    const found = [];
    for (const span of this.found) {
      if (taken.subarray(span.start, span.end).includes(1)) continue;
      taken.fill(1, span.start, span.end);
      found.push(span);
    }
    return found.sort((a, b) => a.start - b.start);
  }

  /** Returns a span with a border moved by a token; null if there is no room. */
  moved(span, side, by) {
    const at = side === "start" ? this.starts : this.ends;
    const n = countBelow(at, span[side] + (by > 0 ? 1 : 0)) + (by > 0 ? 0 : -1);
    if (n < 0 || n >= at.length) return null;
    const after = { ...span, [side]: at[n] };
    const others = this.spans.filter((one) => !sameSpan(one, span));
    const fits = after.start < after.end && !others.some((one) => overlap(one, after));
    return fits ? after : null;
  }

  /** Returns all places, at borders of tokens, with the text of a span. */
  same(span) {
    const wanted = this.textOf(span);
    if (!this.places.has(wanted)) this.places.set(wanted, this.findPlaces(wanted));
    return this.places.get(wanted);
  }

  /** Returns all places of a string, in any case of letters. */
  placesOf(wanted) {
    if (!wanted) return [];
    const pattern = new RegExp(wanted.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "giu");
    return [...this.text.matchAll(pattern)].slice(0, MOST_PLACES).map(({ 0: { length }, index }) => ({
      start: index, end: index + length,
    }));
  }

  findPlaces(wanted) {
    const found = [];
    let at = this.text.indexOf(wanted);
    while (at >= 0) {
      const end = at + wanted.length;
      const whole = this.isAt(this.starts, at) && this.isAt(this.ends, end);
      if (whole) found.push({ start: at, end });
      at = this.text.indexOf(wanted, whole ? end : at + 1);
    }
    return found;
  }

  isAt(sorted, offset) {
    return sorted[countBelow(sorted, offset)] === offset;
  }

  /** Returns the change that gives places a label, in place of what overlaps them. */
  labelling(places, label) {
    const added = places.map(({ start, end }) => ({ start, end, label }));
    const taken = new Uint8Array(this.text.length);
    for (const { start, end } of added) taken.fill(1, start, end);
    const removed = this.spans.filter(({ start, end }) => taken.subarray(start, end).includes(1));
    const keys = [added, removed].map((spans) => new Set(spans.map(keyOf)));
    return {
      removed: removed.filter((span) => !keys[0].has(keyOf(span))),
      added: added.filter((span) => !keys[1].has(keyOf(span))),
    };
  }
}
