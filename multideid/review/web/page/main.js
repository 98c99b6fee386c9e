// Where the page begins.

import { announce, byId } from "./dom.js";
import { get, takeToken } from "./api.js";
import { Desk } from "./desk.js";
import * as dialogs from "./dialogs.js";
import { training } from "./training.js";
import { listen } from "./keys.js";

function listenToButtons(desk) {
  byId("open-help").addEventListener("click", dialogs.help);
  byId("open-team").addEventListener("click", dialogs.team);
  byId("open-training").addEventListener("click", () => training(() => desk.run("reopen")));
  byId("show-queue").addEventListener("click", () => {
    const open = byId("queue").classList.toggle("open");
    byId("show-queue").setAttribute("aria-expanded", String(open));
    if (open) byId("list").focus();
  });
}

async function start() {
  if (!takeToken()) {
    byId("title").textContent = "Open the address that multideid review printed";
    return;
  }
  const desk = new Desk(await get("/api/desk"), dialogs);
  document.desk = desk;
  listen((command, ...values) => desk.run(command, ...values));
  listenToButtons(desk);
  await desk.refreshQueue();
  const first = desk.queue.nextOpen() ?? desk.queue.shown[0]?.number;
  if (first) await desk.run("open", first);
  document.documentElement.dataset.ready = "true";
}

start().catch((error) => {
  byId("title").textContent = error.message;
  announce(error.message);
});
