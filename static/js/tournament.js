// A tournament's page: the open tab is asked for again, not too often, when something happened.

import { line } from "./socket.js";

const CALM_MS = 1500;
const page = document.getElementById("tournament");
let timer = null;

function refresh() {
  timer = null;
  if (document.hidden) {
    document.addEventListener("visibilitychange", later, { once: true });
    return;
  }
  const panel = document.getElementById("tab-panel");
  const address = new URL(location.href);
  window.htmx.ajax("GET", address.pathname + address.search, {
    target: panel,
    select: "#tab-panel",
    swap: "outerHTML",
  });
}

function later() {
  timer ??= setTimeout(refresh, CALM_MS * (0.6 + 0.8 * Math.random()));
}

line().follow(page.dataset.stream, {
  snapshot: () => {},
  events: (events) => events.length && later(),
});
document.body.addEventListener("room:mine", later);
