// The featured table in words: which one, why, and how late.

import { gettext, interpolate } from "../shared/i18n.js";

const REASONS = {
  chosen: () => gettext("chosen by the organiser"),
  final_table: () => gettext("final table"),
  biggest_stack: () => gettext("biggest stack"),
};
const MINUTE_MS = 60_000;

/** @param {Wire.HandRetold} retold */
export const tableWords = ({ start }) =>
  interpolate(gettext("Table %(number)s"), { number: start.number });

/** @param {Wire.HandRetold} retold */
export const reasonWords = ({ reason }) => (reason ? REASONS[reason]() : "");

// The delay that is promised; the moment of a hand may be a little later.
/** @type {(delayMs: number) => string} */
export const delayWords = (delayMs) =>
  interpolate(gettext("cards %(minutes)s min later"), {
    minutes: Math.max(1, Math.round(delayMs / MINUTE_MS)),
  });
