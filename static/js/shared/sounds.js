// Sounds made by the browser itself: no files, a short shape of tones each, off by a switch.

import { local } from "./storage.js";

const SWITCH = "room.sounds";
/** @type {Record<string, number[][]>} */
const SHAPES = {
  turn: [
    [660, 0, 0.12],
    [880, 0.13, 0.18],
  ],
  hurry: [
    [880, 0, 0.08],
    [880, 0.16, 0.08],
  ],
  card: [[320, 0, 0.035]],
  chips: [
    [1250, 0, 0.03],
    [1480, 0.045, 0.03],
  ],
  check: [
    [210, 0, 0.04],
    [190, 0.09, 0.04],
  ],
  win: [
    [523, 0, 0.14],
    [659, 0.12, 0.14],
    [784, 0.24, 0.28],
  ],
  notice: [[740, 0, 0.16]],
};
/** @type {Record<string, number>} */
const LOUDNESS = { turn: 0.16, hurry: 0.14, win: 0.12, notice: 0.1 };
// Sounds of a kind that begin together are one: events that were missed come all at once.
/** @type {Set<string>} */
const begun = new Set();
/** @type {AudioContext | null} */
let context = null;

export const soundsOn = () => local.get(SWITCH) !== "0";

/** @type {(on: boolean) => void} */
export function switchSounds(on) {
  local.set(SWITCH, on ? "1" : "0");
  if (on) sound("notice");
}

// A page is silent until somebody touched it.
export const audible = () => soundsOn() && Boolean(navigator.userActivation?.hasBeenActive);

/** @type {(name: string | null | undefined) => void} */
export function sound(name) {
  if (!name || !audible()) return;
  context ??= new AudioContext();
  // A call or a locked phone interrupts the sound, and some browsers do not resume it by themselves.
  if (context.state !== "running") context.resume().catch(() => null);
  if (begun.has(name)) return;
  begun.add(name);
  queueMicrotask(() => begun.delete(name));
  for (const [pitch, delay, length] of SHAPES[name] ?? []) {
    const start = context.currentTime + delay;
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.type = pitch < 400 ? "triangle" : "sine";
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(LOUDNESS[name] ?? 0.06, start);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + length);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + length);
  }
}
