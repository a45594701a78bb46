// The room's clock as this page knows it, and everything on the page that counts down.

import { attribute, elements, text } from "./dom.js";
import { duration, moment } from "./format.js";
import { region } from "./i18n.js";

const SAMPLES_MAX = 6;
const DRIFT_MS = 50;
/** @type {{trip: number, offset: number}[]} */
const samples = [];
let offset = 0;

export const now = () => Date.now() + offset;

// The slowest round trip of late in ms; null before a ping was answered.
/** @type {() => number | null} */
export const slowestTripMs = () =>
  samples.length ? Math.max(...samples.map(({ trip }) => trip)) : null;

// One answered ping: the quickest round trip of late tells the offset best. None is wrong by more
// than half of its trip: what contradicts the newest is from before this device's clock was set.
/** @type {(sentMs: number, serverMs: number, receivedMs: number) => void} */
export function heard(sentMs, serverMs, receivedMs) {
  const trip = receivedMs - sentMs;
  if (trip < 0) return;
  const newest = { trip, offset: serverMs + trip / 2 - receivedMs };
  samples.push(newest);
  if (samples.length > SAMPLES_MAX) samples.shift();
  offset = samples
    .filter(
      (sample) => Math.abs(sample.offset - newest.offset) <= (sample.trip + trip) / 2 + DRIFT_MS,
    )
    .reduce((best, sample) => (sample.trip < best.trip ? sample : best)).offset;
}

/** @type {(serverMs: number) => void} */
export function roughly(serverMs) {
  if (samples.length === 0) offset = serverMs - Date.now();
}

// Write what counts down below `root`: a part of the page that has just come.
/** @type {(root: ParentNode) => void} */
export function tick(root) {
  const at = now();
  for (const node of elements(root, "[data-countdown]")) {
    const due = Number(node.dataset.countdown);
    if (due) text(node, due > at ? duration(due - at) : (node.dataset.due ?? duration(0)));
  }
  for (const node of elements(root, "[data-moment]")) {
    const due = Number(node.dataset.moment);
    if (!due) continue;
    text(node, moment(due, at));
    attribute(node, "title", new Date(due).toLocaleString(region));
  }
}

export function startTicking(root = document) {
  tick(root);
  setInterval(() => tick(root), 500);
  document.body.addEventListener("htmx:afterSwap", () => tick(root));
}
