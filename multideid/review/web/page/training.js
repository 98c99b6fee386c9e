// Learning from the reviewed notes, and the figures of before and after.

import { announce, byId, make } from "./dom.js";
import { get, post } from "./api.js";
import { closing, figure, table } from "./dialogs.js";

const WAIT = 700;
const ROWS = [
  ["Spans, F1", "span_f1"],
  ["Spans, precision", "span_precision"],
  ["Spans, recall", "span_recall"],
  ["Words of PHI, F1", "token_f1"],
  ["Words of PHI, precision", "token_precision"],
  ["Words of PHI, recall", "token_recall"],
];

export async function training(onUse) {
  const dialog = byId("training");
  dialog.showModal();
  await refresh(dialog, onUse);
}

/** Shows the state, and looks again as long as the window is open and a training runs. */
async function refresh(dialog, onUse) {
  show(dialog, await get("/api/training"), onUse);
}

function show(dialog, state, onUse) {
  const running = state.job?.state === "running";
  const attempt = (action) => async () => {
    try {
      show(dialog, await action(), onUse);
    } catch (error) {
      byId("training-problem").textContent = error.message;
      announce(error.message);
    }
  };
  const enough = state.train > 0 && state.held_out > 0;
  const counts = `${state.train} accepted ${state.train === 1 ? "note" : "notes"} to learn from, ${state.held_out} kept to measure with.`;
  const need = "One accepted note of each kind is needed at least. One of every five notes is kept to measure with; accept more until both kinds are there.";
  const start = make(
    "button",
    {
      id: "start-training", class: "primary", disabled: running || !enough,
      onclick: attempt(() => post("/api/training", {})),
    },
    "Train with these",
  );
  const use = attempt(async () => {
    const after = await post(`/api/training/${state.job.number}/use`, {});
    onUse();
    return after;
  });
  dialog.replaceChildren(
    make("h2", { id: "training-title" }, "Train"),
    make("p", {}, counts),
    ...(enough ? [] : [make("p", { class: "soft" }, need)]),
    make("p", {}, start),
    make("p", { id: "training-problem", class: "problem", role: "alert" }),
    ...(state.job ? jobParts(state.job, use) : []),
    closing(),
  );
  if (running) {
    setTimeout(() => {
      const again = () => refresh(dialog, onUse).catch(() => {});
      if (dialog.open) again();
    }, WAIT);
  } else if (state.job && dialog.dataset.state === "running") {
    announce(state.job.state === "done" ? "Training is done" : "Training failed");
  }
  dialog.dataset.state = state.job?.state ?? "";
}

function jobParts(job, use) {
  if (job.state === "failed") return [make("p", { class: "problem" }, `Not trained: ${job.problem}`)];
  if (job.state === "running") {
    const share = job.total ? job.done / job.total : null;
    const bar = make("progress", { max: 1, "aria-label": "Training", value: share });
    return [make("p", { id: "training-state" }, bar, ` ${job.stage ?? "begins"}`)];
  }
  const { before, after } = job.figures;
  const rows = ROWS.map(([name, key]) => [
    name, figure(before[key]), figure(after[key]), change(after[key] - before[key]),
  ]);
  const button = make(
    "button",
    { id: "use-model", disabled: Boolean(job.used), onclick: use },
    job.used ? "The new model is in use" : "Use the new model",
  );
  return [
    table([`On ${job.held_out} notes kept out`, "Before", "After", "Change"], rows),
    make("p", {}, button),
  ];
}

const change = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
