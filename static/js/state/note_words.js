// The reader's private notes on players, in words.

import { gettext } from "../shared/i18n.js";

/** @typedef {{user: number, text: string, colour: string}} PlayerNote */

/** @type {Record<string, string>} */
export const NOTE_COLOURS = {
  "": gettext("No colour"),
  red: gettext("Red"),
  orange: gettext("Orange"),
  yellow: gettext("Yellow"),
  green: gettext("Green"),
  blue: gettext("Blue"),
  purple: gettext("Purple"),
};

// A note in words, for a title and for screen readers; "" without one.
/** @param {PlayerNote | undefined} note */
export const noteWords = (note) =>
  note ? [note.colour && NOTE_COLOURS[note.colour], note.text].filter(Boolean).join(": ") : "";
