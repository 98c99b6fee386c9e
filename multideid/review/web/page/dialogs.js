// The windows above the page.

import { byId, colour, isolated, make } from "./dom.js";
import { get } from "./api.js";
import { fillHelp } from "./keys.js";

export const closing = () => make("form", { method: "dialog" }, make("button", {}, "Close"));

export function help() {
  fillHelp();
  byId("help").showModal();
  // The first field lies below the list, where a small window would scroll to.
  byId("help").scrollTop = 0;
}

/** Asks for a label by its name; returns null if none is chosen. */
export function label(labels) {
  const dialog = byId("labels");
  const field = make("input", { type: "text", id: "label-name", autocomplete: "off" });
  const list = make("div", { class: "choices" });
  return new Promise((resolve) => {
    const choose = (name) => {
      resolve(name);
      dialog.close();
    };
    const fill = () => {
      const wanted = field.value.trim().toLowerCase();
      const fitting = labels.filter((name) => name.toLowerCase().includes(wanted));
      list.replaceChildren(...fitting.map((name) => {
        const button = make("button", { class: "label", onclick: () => choose(name) }, isolated(name));
        colour(button, labels, name);
        return button;
      }));
    };
    field.addEventListener("input", fill);
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      list.querySelector("button")?.click();
    });
    dialog.replaceChildren(
      make("h2", { id: "labels-title" }, "Label"),
      make("label", { for: "label-name" }, "Begin to type, Enter takes the first"),
      field,
      list,
    );
    dialog.addEventListener("close", () => resolve(null), { once: true });
    fill();
    dialog.showModal();
    field.focus();
  });
}

export const figure = (value) => value.toFixed(3);

export function table(header, rows) {
  return make(
    "table",
    {},
    make("thead", {}, make("tr", {}, ...header.map((name) => make("th", { scope: "col" }, name)))),
    make("tbody", {}, ...rows.map((row) =>
      make("tr", {}, ...row.map((cell) => make("td", {}, String(cell)))))),
  );
}

export async function team() {
  const { pairs } = await get("/api/agreement");
  const header = ["Reviewers", "Notes", "Equal", "Span F1", "Token F1", "Kappa"];
  const rows = pairs.map((pair) => [
    pair.reviewers.join(" and "),
    pair.notes,
    pair.notes_equal,
    figure(pair.span_f1),
    figure(pair.token_f1),
    figure(pair.kappa),
  ]);
  byId("team").replaceChildren(
    make("h2", { id: "team-title" }, "Agreement"),
    ...(rows.length
      ? [table(header, rows), make("p", { class: "soft" }, "Over the notes that both accepted. Notes on which they differ are listed under “To adjudicate”.")]
      : [make("p", {}, "No two reviewers have accepted the same note yet. Start with --reviewer for each of them; agreement is shown here over the notes that both accepted.")]),
    closing(),
  );
  byId("team").showModal();
}
