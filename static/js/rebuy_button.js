// The button of a seat that may buy chips while it still has some; asked for twice, given once.

import { askedTwice } from "./asked_twice.js";
import { chips, money } from "./format.js";
import { gettext, interpolate } from "./i18n.js";
import { post } from "./offers.js";
import { toast } from "./toasts.js";

let button = null;

function words(rebuy) {
  return interpolate(gettext("Buy %(amount)s chips for %(price)s"), {
    amount: chips(rebuy.chips),
    price: money(rebuy.price + rebuy.fee),
  });
}

// Shows, changes or takes away the button; `rebuy` is what may be asked for now, or null.
export function offerRebuy(tournament, rebuy) {
  button?.remove();
  button = null;
  if (!rebuy) return;
  button = askedTwice("button small rebuy", words(rebuy), async () => {
    const answer = await post(`/tournaments/${tournament}/rebuy/`, { entry: rebuy.entry });
    toast({ title: answer.message, kind: answer.ok ? "good" : "error" });
    offerRebuy(tournament, answer.ok ? null : rebuy);
  });
  document.body.append(button);
}
