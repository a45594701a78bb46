// Words of notices of ring games: why a seat is free, what came back, what was too little.

import { money } from "../shared/format.js";
import { gettext, interpolate } from "../shared/i18n.js";

/** @type {() => Record<string, string>} */
export const freedWords = () => ({
  no_chips: gettext("You had no chips."),
  disconnected: gettext("Your connection was lost for too long."),
  sat_out: gettext("You sat out for too long."),
  closed: gettext("The game has closed."),
  taken_off: gettext("You were taken off the table."),
});

/** @type {(event: Wire.RingTopUpMissed) => string} */
export const tooLittle = ({ left }) =>
  typeof left === "number"
    ? gettext("%(name)s: your own limits leave %(left)s.")
    : gettext("%(name)s: your account of %(balance)s does not cover it.");

/** @type {(event: Wire.RingSeatFreed) => string} */
export const stackWords = ({ amount }) =>
  amount
    ? interpolate(gettext("%(amount)s are back in your account."), { amount: money(amount) })
    : "";
