// A tournament's page: the open tab is asked for again, not too often, when something happened.

import { tick } from "./clock.js";
import { focusIn } from "./focus.js";
import { line } from "./socket.js";

const CALM_MS = 1500;
const page = document.getElementById("tournament");
let timer = null;
let asking = false;
let pressed = false;

const panel = () => document.getElementById("tab-panel");
const address = () => location.pathname + location.search;

async function refresh() {
  timer = null;
  if (document.hidden) {
    document.addEventListener("visibilitychange", later, { once: true });
    return;
  }
  if (asking) return later();
  asking = true;
  const asked = address();
  const answer = await fetch(asked).catch(() => null);
  const words = answer?.ok ? await answer.text().catch(() => "") : "";
  asking = false;
  // A press or a click on another tab is not to hit something that has just been replaced.
  if (pressed || asked !== address() || panel().querySelector(".htmx-request")) later();
  else if (words) swap(words);
}

function swap(words) {
  const fresh = new DOMParser().parseFromString(words, "text/html").getElementById("tab-panel");
  if (!fresh) return;
  const focus = focusIn(panel());
  panel().replaceWith(fresh);
  window.htmx.process(fresh);
  tick(fresh);
  focus(fresh);
}

function later() {
  timer ??= setTimeout(refresh, CALM_MS * (0.6 + 0.8 * Math.random()));
}

document.addEventListener("pointerdown", () => (pressed = true));
for (const end of ["pointerup", "pointercancel"])
  document.addEventListener(end, () => (pressed = false));
line().follow(page.dataset.stream, {
  snapshot: () => {},
  events: (events) => events.length && later(),
});
document.body.addEventListener("room:mine", later);
