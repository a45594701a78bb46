// The page of a finished hand: its controls, by button, slider and key.

import "../table/poker_table.js";
import { shieldMark } from "../fair/mark.js";
import { attribute, elements, text } from "../shared/dom.js";
import { gettext } from "../shared/i18n.js";
import { cue } from "../table/felt/cues.js";
import { decisionWords } from "./decisions.js";
import { Replay } from "./replay.js";
import { offerSharing } from "./sharing.js";

/** @type {(name: string) => HTMLElement} */
const button = (name) => elements(document, `[data-go="${name}"]`)[0];

const STEP_MS = 1000;
/** @type {Record<string, string>} */
const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", " ": "play" };

const room = /** @type {import("../table/poker_table.js").PokerTable} */ (
  document.querySelector("poker-table")
);
const told = JSON.parse(document.getElementById("replay")?.textContent ?? "{}");
const replay = new Replay(told);
const slider = /** @type {HTMLInputElement} */ (document.getElementById("replay-at"));
const player = button("play");
const all = document.getElementById("replay-all");
/** @type {number[]} */
const lines = []; // of the log, after each step
let at = -1;
let playing = 0;

/** @type {(step: number) => void} */
function show(step) {
  const wanted = Math.max(0, Math.min(replay.last, step));
  if (wanted < at) {
    at = wanted;
    room.log.cut(lines[at]);
  }
  const sounds = wanted === at + 1 && at >= 0;
  while (at < wanted) {
    at += 1;
    for (const { event, before, decision } of replay.happened(at)) {
      room.log.add(before, event, { note: decision ? decisionWords(decision) : "" });
      if (sounds) cue(event, room.model.seat?.seat ?? null);
    }
    lines[at] = room.log.count;
  }
  const { state, moment } = replay.at(at);
  room.model.recall(state, moment);
  slider.value = String(at);
  attribute(slider, "aria-valuetext", room.log.last.textContent);
  /** @type {[string, boolean][]} */
  const ends = [
    ["first", at === 0],
    ["back", at === 0],
    ["on", at === replay.last],
    ["last", at === replay.last],
  ];
  for (const [name, off] of ends) attribute(button(name), "aria-disabled", off && "true");
}

function stop() {
  clearInterval(playing);
  playing = 0;
  attribute(player, "aria-pressed", "false");
  text(player, gettext("Play"));
}

function play() {
  if (playing) return stop();
  if (at === replay.last) show(0);
  playing = setInterval(() => {
    show(at + 1);
    if (at === replay.last) stop();
  }, STEP_MS);
  attribute(player, "aria-pressed", "true");
  text(player, gettext("Stop"));
}

/** @type {Record<string, () => number>} */
const moves = { first: () => 0, back: () => at - 1, on: () => at + 1, last: () => replay.last };

/** @type {(name: string) => void} */
function go(name) {
  if (name === "play") return play();
  stop();
  show(moves[name]());
}

for (const one of elements(document, "[data-go]"))
  one.addEventListener("click", () => go(one.dataset.go ?? ""));
slider.max = String(replay.last);
slider.addEventListener("input", () => {
  stop();
  show(Number(slider.value));
});
all?.addEventListener("click", () => {
  replay.all = !replay.all;
  attribute(all, "aria-pressed", String(replay.all));
  show(at);
});
document.addEventListener("keydown", (event) => {
  const { key } = event;
  const target = /** @type {Element} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || !KEYS[key]) return;
  // A button has the space bar for itself, and the log scrolls with all of them.
  if (target !== document.body && target !== slider && target.id !== "main") {
    if (key === " " || !target.matches("button, a")) return;
  }
  event.preventDefault();
  go(KEYS[key]);
});

const proof = document.getElementById("proof");
if (proof) proof.before(shieldMark(proof.dataset.table ?? "", proof.dataset.hand ?? ""));

room.model.user = told.user;
show(0);

offerSharing(/** @type {HTMLButtonElement | null} */ (document.getElementById("share")));
