// The button of a seat that may buy chips while it still has some; asked for twice, given once.

import { el } from "./dom.js";
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
  button = el("button", { type: "button", class: "button small rebuy" }, words(rebuy));
  button.addEventListener("click", async () => {
    // The first click asks, the second buys.
    if (!button.dataset.sure) {
      button.dataset.sure = "1";
      button.textContent = interpolate(gettext("%(what)s: sure?"), { what: words(rebuy) });
      return;
    }
    button.disabled = true;
    const answer = await post(`/tournaments/${tournament}/rebuy/`, { entry: rebuy.entry });
    toast({ title: answer.message, kind: answer.ok ? "good" : "error" });
    offerRebuy(tournament, null);
  });
  document.body.append(button);
}
