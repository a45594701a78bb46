// A tournament's page: the open tab is asked for again, not too often, when something happened.
// How often, the page says: where thousands wait for a start, each of them asks less often.

import { isLeaving } from "../everywhere/leaving.js";
import { pageWords } from "../shared/api.js";
import { tick } from "../shared/clock.js";
import { elements, text } from "../shared/dom.js";
import { focusIn, scrollIn, selectedIn } from "../shared/focus.js";
import { count } from "../shared/format.js";
import { pressed } from "../shared/pressed.js";
import { line } from "../shared/socket.js";

const CALM_MS = 1500;
const FAILED_MS = 5000;
// What changes the page as a whole is shown sooner than one more of many.
const TURNS = new Set(["started", "finished", "cancelled", "paused", "resumed", "final_table"]);
const SOONER = 0.2;
const page = /** @type {HTMLElement} */ (document.getElementById("tournament"));
let timer = 0;
let due = 0;
let asking = false;

const panel = () => /** @type {HTMLElement} */ (document.getElementById("tab-panel"));
const address = () => location.pathname + location.search;

async function refresh() {
  timer = 0;
  if (document.hidden) {
    document.addEventListener("visibilitychange", again, { once: true });
    return;
  }
  if (asking || isTyped() || selectedIn(panel())) return later();
  // When a large field starts, the tables of all wait for the same servers.
  if (isLeaving()) return later(FAILED_MS);
  asking = true;
  const asked = address();
  const words = await pageWords(asked);
  asking = false;
  if (!words) later(FAILED_MS);
  else if (asked !== address() || inUse()) later();
  else swap(words);
}

// A name that is typed to search for is not to be lost.
function isTyped() {
  const field = document.activeElement;
  return (
    field instanceof HTMLInputElement &&
    panel().contains(field) &&
    field.value !== field.defaultValue
  );
}

// A press, a click on another tab or a selection is not to hit what has just been replaced.
function inUse() {
  return (
    pressed() || isTyped() || selectedIn(panel()) || panel().querySelector(".htmx-request") !== null
  );
}

/** @type {(words: string) => void} */
function swap(words) {
  const fresh = new DOMParser().parseFromString(words, "text/html").getElementById("tab-panel");
  if (!fresh) return;
  const [focus, scroll] = [focusIn(panel()), scrollIn(panel())];
  panel().replaceWith(fresh);
  window.htmx.process(fresh);
  tick(fresh);
  scroll(fresh);
  focus(fresh);
  follow();
}

// Work that is done some at a time ends without an event.
function follow() {
  if (panel().querySelector("[data-again]")) later(Number(panel().dataset.calm) || CALM_MS);
}

function later(calm = CALM_MS) {
  const wait = calm * (0.6 + 0.8 * Math.random());
  if (timer !== 0 && Date.now() + wait >= due) return;
  clearTimeout(timer);
  due = Date.now() + wait;
  timer = setTimeout(refresh, wait);
}

const again = () => later();

/** @param {Wire.TournamentEvent[]} events */
function heard(events) {
  if (!events.length) return;
  for (const event of events)
    if (event.type === "player_registered")
      for (const node of elements(panel(), "[data-entrants]")) text(node, count(event.entrants));
  const calm = Number(panel().dataset.calm) || CALM_MS;
  later(events.some(({ type }) => TURNS.has(type)) ? Math.max(CALM_MS, calm * SOONER) : calm);
}

// The strip shows the open tab, on a phone too; another tab comes and leaves it where it was panned to.
function keepStrip() {
  const strip = () => /** @type {HTMLElement} */ (panel().querySelector(".tabs"));
  let place = 0;
  const open = panel().querySelector(".tabs [aria-current]");
  open?.scrollIntoView({ block: "nearest", inline: "center" });
  page.addEventListener("htmx:beforeSwap", () => (place = strip().scrollLeft));
  page.addEventListener("htmx:afterSwap", () => (strip().scrollLeft = place));
}

line().follow(page.dataset.stream ?? "", {
  // What happened since the page was written, or while the line was away.
  snapshot: (_, id) => id !== panel().dataset.at && later(),
  events: heard,
});
document.body.addEventListener("room:mine", again);
keepStrip();
follow();
