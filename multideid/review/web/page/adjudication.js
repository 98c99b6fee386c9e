// The commands of the desk where reviewers differ.

import { announce } from "./dom.js";
import { overlap, sameSpan } from "./note.js";

export const adjudication = {
  isTaken(part, spans) {
    const here = this.note.spans.filter((span) => overlap(span, part));
    return here.length === spans.length && spans.every((a) => here.some((b) => sameSpan(a, b)));
  },

  /**
   * Goes to a difference where everyone has PHI and nothing is chosen, and returns whether there
   * is one. Whoever accepts again means it.
   */
  leavesOut() {
    if (!this.adjudicates || this.note.accepted || this.warning) return false;
    const free = (part) => !this.note.spans.some((span) => overlap(span, part));
    const left = this.note.differences.filter((part) =>
      free(part) && part.choices.every(([, spans]) => spans.length));
    if (!left.length) return false;
    const where = left.length === 1 ? "a place" : `${left.length} places`;
    this.warning = `Not accepted yet: nothing is marked at ${where} where all reviewers have PHI. Choose, or accept again to leave it so.`;
    this.goTo(left[0]);
    announce(this.warning);
    return true;
  },

  async take(part, spans) {
    const here = this.note.spans.filter((span) => overlap(span, part));
    const among = (list, span) => list.some((one) => sameSpan(one, span));
    const removed = here.filter((span) => !among(spans, span));
    const added = spans.filter((span) => !among(here, span));
    if (removed.length || added.length) await this.decide({ removed, added }, "Taken");
    this.goTo(part);
  },

  takeNext() {
    const part = this.note?.differences.find((one) => this.cursor.word && overlap(one, this.cursor.word));
    if (!part || !this.adjudicates) return null;
    const n = part.choices.findIndex(([, spans]) => this.isTaken(part, spans));
    return this.take(part, part.choices[(n + 1) % part.choices.length][1]);
  },
};
