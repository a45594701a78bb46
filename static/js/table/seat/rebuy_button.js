// The button of a seat that may buy chips while it still has some; asked for twice, given once.

import { freshKey, post } from "../../shared/api.js";
import { chips, money } from "../../shared/format.js";
import { gettext, interpolate } from "../../shared/i18n.js";
import { toast } from "../../shared/toasts.js";
import { askedTwice } from "./asked_twice.js";

/** @type {HTMLElement | null} */
let button = null;
/** @type {string | null} */
let shown = null;
// A purchase that nothing was heard of may have been made: it is repeated as the same one.
let wish = { entry: "", key: "" };

/** @typedef {{entry: string, chips: number, price: number, fee: number}} Rebuy what may be bought now */

/** @type {(rebuy: Rebuy) => string} */
function words(rebuy) {
  return interpolate(gettext("Buy %(amount)s chips for %(price)s"), {
    amount: chips(rebuy.chips),
    price: money(rebuy.price + rebuy.fee),
  });
}

// Shows, changes or takes away the button; `rebuy` is what may be asked for now, or null. One that
// asks, or buys, stays as it is while anything may be asked for.
/** @type {(tournament: string | undefined, rebuy: Rebuy | null) => void} */
export function offerRebuy(tournament, rebuy) {
  const said = JSON.stringify(rebuy ?? null);
  if (rebuy && (said === shown || button?.dataset.sure)) return;
  button?.remove();
  [button, shown] = [null, said];
  if (!rebuy) return;
  const made = askedTwice("button small rebuy", words(rebuy), async () => {
    const { entry } = rebuy;
    if (wish.entry !== entry) wish = { entry, key: freshKey() };
    const answer = await post(`/tournaments/${tournament}/rebuys`, { entry }, wish.key);
    if (answer.code !== "no_answer") wish = { entry: "", key: "" };
    toast({ title: answer.message, kind: answer.ok ? "good" : "error" });
    if (button !== made) return;
    offerRebuy(tournament, null);
    if (!answer.ok) offerRebuy(tournament, rebuy);
  });
  made.title = words(rebuy);
  button = made;
  // First in the line, where its coming moves no other button.
  document.querySelector("poker-table .tools")?.prepend(made);
}
