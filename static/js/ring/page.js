// Lobby of ring games and the page of one: what they show is asked for again every few seconds.

import { isLeaving, leaveFor } from "../everywhere/leaving.js";
import { pageWords } from "../shared/api.js";
import { tick } from "../shared/clock.js";
import { focusIn, scrollIn, selectedIn } from "../shared/focus.js";
import { pressed } from "../shared/pressed.js";

const EVERY_MS = 4000;
let timer = 0;

const part = () => /** @type {HTMLElement} */ (document.getElementById("ring-part"));

async function refresh() {
  later();
  // A press, a selection or an open question is not to hit what has just been replaced.
  const inUse = () =>
    isLeaving() ||
    document.hidden ||
    pressed() ||
    selectedIn(part()) ||
    part().querySelector(".htmx-request") !== null ||
    document.querySelector("dialog[open]") !== null;
  if (inUse()) return;
  const words = await pageWords(location.pathname + location.search);
  if (words && !inUse()) swap(words);
}

/** @type {(words: string) => void} */
function swap(words) {
  const fresh = new DOMParser().parseFromString(words, "text/html").getElementById("ring-part");
  if (!fresh) return;
  const [focus, scroll] = [focusIn(part()), scrollIn(part())];
  part().replaceWith(fresh);
  window.htmx.process(fresh);
  tick(fresh);
  scroll(fresh);
  focus(fresh);
  goToHand();
}

// A player of a rapid pool who is in a hand plays it: this page only waits for it. Begun anew by each
// look, the way would not end on a slow network.
function goToHand() {
  const hand = /** @type {HTMLElement | null} */ (part().querySelector("[data-follow]"));
  if (!hand || isLeaving() || document.querySelector("dialog[open]")) return;
  leaveFor(hand.dataset.follow ?? "");
}

// One request is due at a time, however many notices ask for one at once.
function later() {
  clearTimeout(timer);
  timer = setTimeout(refresh, EVERY_MS * (0.8 + 0.4 * Math.random()));
}

later();
goToHand();
// A seat was offered, taken away, or is in a hand: the page says so at once.
document.body.addEventListener("room:mine", ({ detail }) => {
  if (/^(ring|rapid)_/.test(detail.type)) refresh();
});
