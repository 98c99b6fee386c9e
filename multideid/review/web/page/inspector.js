// What is known about the current span or selection, and what can be done with it.

import { byId, colour, isolated, make } from "./dom.js";
import { percent, signed } from "./note.js";

const KEYED = 9;
const LONGEST = 200;
const MARGIN = "How far the system puts this label above none; compare with other spans of the same system";

const keyed = (key, words) => make("p", { class: "keyed" }, make("kbd", {}, key), words);

export class Inspector {
  constructor(labels, actions) {
    this.labels = labels;
    this.actions = actions;
  }

  show(note, span, selection, adjudicates) {
    const subject = span ?? selection;
    const shown = subject ? this.subject(note, span, selection) : this.overview(note, adjudicates);
    byId("subject").replaceChildren(...shown);
    byId("palette").replaceChildren(...(subject ? this.palette(span) : []));
    byId("tools").replaceChildren(...(span ? this.tools(note, span) : []));
    const evidence = subject ? this.evidence(note, subject) : [];
    const choices = adjudicates && note ? this.differences(note) : [];
    byId("evidence").replaceChildren(...choices, ...evidence);
  }

  /** Shows how much there is in a note, and the keys that lead there. */
  overview(note, adjudicates) {
    if (!note?.read) return [];
    const [n, hints] = [note.spans.length, note.hints.length];
    const title = make("h3", {}, n === 1 ? "1 span" : `${n.toLocaleString("en")} spans`);
    if (adjudicates) {
      return [title, keyed("n", "next difference"), keyed("s", "take what the next reviewer says")];
    }
    const places = hints === 1 ? "1 more place" : `${hints.toLocaleString("en")} more places`;
    const more = hints ? [keyed("m", `${places} that only some systems see`)] : [];
    return [title, ...more, keyed("n", "next span"), keyed("→", "next word")];
  }

  subject(note, span, selection) {
    const subject = span ?? selection;
    const text = note.textOf(subject);
    const cut = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
    const kind = span ? make("span", { class: "tag" }, span.label) : "Selection";
    if (span) colour(kind, this.labels, span.label);
    return [make("h3", {}, kind), isolated(cut, "p", { class: "quote" })];
  }

  palette(span) {
    return this.labels.map((label, n) => {
      const key = n < KEYED ? make("kbd", {}, String(n + 1)) : "";
      const button = make(
        "button",
        {
          class: "label",
          "aria-pressed": String(span?.label === label),
          "aria-keyshortcuts": n < KEYED ? n + 1 : null,
          onclick: () => this.actions.label(label),
        },
        key,
        isolated(label),
      );
      colour(button, this.labels, label);
      return button;
    });
  }

  tools(note, span) {
    const places = note.same(span).length;
    const button = (text, key, action) =>
      make(
        "button",
        { class: "quiet", "aria-keyshortcuts": key, onclick: action },
        text,
        make("kbd", {}, key.toUpperCase()),
      );
    const tools = [button("Delete", "d", () => this.actions.remove())];
    if (places > 1) {
      const all = `Label all ${places.toLocaleString("en")} of the same`;
      tools.push(button(all, "a", () => this.actions.labelSame()));
      tools.push(button("Delete all of the same", "x", () => this.actions.removeSame()));
    }
    return tools;
  }

  evidence(note, subject) {
    const proposal = subject.label ? note.proposalOf(subject) : null;
    const parts = [];
    if (proposal?.score != null) {
      const sure = percent(proposal.score);
      parts.push(
        make(
          "p",
          { class: "score" },
          "PHI with probability ",
          make("strong", {}, sure),
          make("meter", { min: 0, max: 1, value: proposal.score, "aria-label": sure }),
        ),
      );
    } else if (subject.label && !proposal) {
      parts.push(make("p", { class: "soft" }, "Not proposed by the model: yours."));
    }
    if (note.systems.length) parts.push(this.systems(note, subject));
    return parts;
  }

  systems(note, subject) {
    const items = note.saidAbout(subject).map(({ name, spans }) => {
      const says = make("dd", {}, ...spans.map((span) => this.said(note, span, subject)));
      if (!spans.length) says.append("nothing");
      return make("div", { class: spans.length ? "" : "soft" }, make("dt", {}, name), says);
    });
    return make("section", {}, make("h4", {}, "Systems say"), make("dl", {}, ...items));
  }

  /** Shows a span of a system, with its words where they are others than those of the subject. */
  said(note, span, subject) {
    const tag = make("span", { class: "tag" }, span.label);
    colour(tag, this.labels, span.label);
    const parts = [tag];
    if (span.margin !== null) {
      parts.push(make("span", { class: "margin", title: MARGIN }, signed(span.margin)));
    }
    const exact = span.start === subject.start && span.end === subject.end;
    if (!exact) parts.push(isolated(note.textOf(span), "q"));
    return make("div", {}, ...parts);
  }

  differences(note) {
    return note.differences.map((part, n) => {
      const buttons = part.choices.map(([name, spans]) => {
        const said = spans.length
          ? spans.map((span) => `${span.label} ${note.textOf(span)}`).join(", ")
          : "nothing";
        const taken = this.actions.isTaken(part, spans);
        return make(
          "button",
          { class: "choice", "aria-pressed": String(taken), onclick: () => this.actions.take(part, spans) },
          isolated(name, "strong"),
          isolated(said),
        );
      });
      const title = `Difference ${n + 1} of ${note.differences.length}`;
      const go = make("button", { class: "link", onclick: () => this.actions.goTo(part) }, title);
      return make("section", { class: "difference", "aria-label": title }, go, ...buttons);
    });
  }
}
