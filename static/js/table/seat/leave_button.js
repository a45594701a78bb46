// Leaving with a stack of chips that have cash value: the button says what it is worth now.

import { post } from "../../shared/api.js";
import { money } from "../../shared/format.js";
import { gettext, interpolate } from "../../shared/i18n.js";
import { toast } from "../../shared/toasts.js";
import { askedTwice } from "./asked_twice.js";

/** @type {HTMLElement | null} */
let button = null;
/** @type {number | null} */
let shown = null;

/** @type {(stack: number) => string} */
const words = (stack) => interpolate(gettext("Leave: %(amount)s"), { amount: money(stack) });

// Shows, changes or takes away the button; `stack` is what leaving would pay now, or null. One that
// asks, or leaves, stays as it is while there is something to leave with.
/** @type {(tournament: string | undefined, stack: number | null) => void} */
export function offerLeaving(tournament, stack) {
  if (stack === shown || (stack !== null && button?.dataset.sure)) return;
  button?.remove();
  [button, shown] = [null, stack];
  if (stack === null) return;
  const made = askedTwice("plain leave", words(stack), async () => {
    const answer = await post(`/tournaments/${tournament}/leave`, {});
    toast({ title: answer.message, kind: answer.ok ? "good" : "error" });
    if (button !== made) return;
    made.remove();
    [button, shown] = [null, answer.ok ? stack : null];
    if (!answer.ok) offerLeaving(tournament, stack);
  });
  made.title = gettext("Leave with the stack");
  button = made;
  document.querySelector("poker-table .tools")?.append(made);
}
