// The drum of a spin above the table: it rolls through the multipliers, stops at the drawn one,
// and goes. Who prefers reduced motion sees the result at once.

import { now } from "../shared/clock.js";
import { el } from "../shared/dom.js";
import { money } from "../shared/format.js";
import { gettext, interpolate } from "../shared/i18n.js";

const SEEN_FOR_MS = 7_000;
const RESULT_MS = 2_500;
const ROLLS = 28;
const CELL_REM = 4.5;
const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// The multipliers that pass by, as often as they are likely; the drawn one comes last but one.
/** @type {(spin: Pick<Wire.SpinOdds, "odds" | "multiplier" | "drawn">) => number[]} */
export function reel({ odds, multiplier, drawn }) {
  const cells = [];
  const total = odds.reduce((sum, [, count]) => sum + count, 0);
  let at = drawn;
  for (let index = 0; index < ROLLS; index += 1) {
    at = (at * 7_919 + 104_729) % total;
    let rest = at;
    /** @type {(row: [number, number]) => boolean} */
    const drawnHere = ([, count]) => {
      rest -= count;
      return rest < 0;
    };
    cells.push((odds.find(drawnHere) ?? odds[0])[0]);
  }
  const next = odds[(odds.findIndex(([value]) => value === multiplier) + 1) % odds.length][0];
  return [...cells, multiplier, next];
}

export class SpinDrum {
  /** @param {Element} room */
  constructor(room) {
    this.room = room;
    /** @type {number | null} */
    this.shownFor = null;
  }

  // spin: the draw of the tournament, or null; shown once, and only while it is fresh.
  /** @param {Wire.SpinOdds | null} spin */
  show(spin) {
    if (!spin || this.shownFor === spin.at_ms) return;
    const left = spin.at_ms + SEEN_FOR_MS - now();
    if (left < 1_000) return;
    this.shownFor = spin.at_ms;
    const cells = reel(spin).map((value) => el("span", { class: "drum-cell" }, `×${value}`));
    const strip = el("div", { class: "drum-strip" }, ...cells);
    const words = el("p", { class: "drum-words", role: "status" });
    const drum = el(
      "div",
      { class: "drum" },
      el("div", { class: "drum-window", "aria-hidden": "true" }, strip),
      words,
    );
    this.room.append(drum);
    const rolling = calm() ? 0 : Math.max(0, Math.min(4_000, left - RESULT_MS));
    const stop = `translateX(${-(cells.length - 2) * CELL_REM}rem)`;
    strip.style.transform = stop;
    if (rolling)
      strip.animate([{ transform: "translateX(0)" }, { transform: stop }], {
        duration: rolling,
        easing: "cubic-bezier(.1, .7, .1, 1)",
      });
    setTimeout(() => {
      drum.classList.add("drum-stopped");
      words.textContent = interpolate(gettext("×%(multiplier)s: the prize pool is %(pool)s"), {
        multiplier: spin.multiplier,
        pool: money(spin.pool),
      });
    }, rolling);
    setTimeout(() => drum.remove(), Math.max(left, rolling + RESULT_MS));
  }
}
