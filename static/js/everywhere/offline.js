// The page without a network: opens its address again as soon as the room answers.

const LOOK_MS = 4000;
const SPREAD_MS = 2000;
const ANSWER_MAX_MS = 3500;
const OWN = "/offline/";

// Answered by the room alone: the worker answers only for pages and for what they show.
async function look() {
  const signal = AbortSignal.timeout(ANSWER_MAX_MS);
  const answer = await fetch(OWN, { cache: "no-store", signal }).catch(() => null);
  if (answer?.ok) location.reload();
}

// One who was on the way to his seat is not to wait for a press.
if (location.pathname !== OWN) {
  setInterval(look, LOOK_MS + SPREAD_MS * Math.random());
  window.addEventListener("online", look);
  document.addEventListener("visibilitychange", () => document.hidden || look());
}
