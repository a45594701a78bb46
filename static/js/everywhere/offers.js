// Offers to buy again: a panel with a clock and two answers, until it is answered or over.

import { post } from "../shared/api.js";
import { now } from "../shared/clock.js";
import { el, text } from "../shared/dom.js";
import { count, money } from "../shared/format.js";
import { gettext, interpolate } from "../shared/i18n.js";
import { sound } from "../shared/sounds.js";
import { tell, toast } from "../shared/toasts.js";

/** @typedef {Wire.OfferMade} Offer */

/** @type {Map<number, {offer: Offer, node: HTMLElement, timer: number}>} */
const shown = new Map();

/** @type {() => Record<string, string>} */
const titles = () => ({
  rebuy: gettext("Buy again?"),
  reentry: gettext("Enter again?"),
  add_on: gettext("Add-on?"),
});

// After these the offer still stands: it may be asked for again.
const STANDS = new Set(["insufficient_funds", "foreign_request", "no_answer", "not_read"]);

/** @type {(offer: Offer, said: string, buttons: HTMLButtonElement[]) => Promise<void>} */
async function give(offer, said, buttons) {
  // The focus stays in the panel: lost with the button, the next Enter would be a raise.
  const node = shown.get(offer.offer)?.node;
  if (node?.contains(document.activeElement)) node.focus();
  for (const button of buttons) button.disabled = true;
  const answer = await post(`/offers/${offer.offer}`, { answer: said });
  toast({ title: answer.message, kind: answer.ok ? "good" : "error" });
  if (answer.ok || !STANDS.has(answer.code)) remove(offer.offer);
  else for (const button of buttons) button.disabled = false;
}

/** @type {(offer: Offer) => string} */
function words(offer) {
  const price = money(offer.price + offer.fee);
  return interpolate(gettext("%(name)s: %(amount)s chips for %(price)s."), {
    name: offer.name,
    amount: count(offer.chips),
    price,
  });
}

/** @type {(offer: Offer) => {offer: Offer, node: HTMLElement, timer: number}} */
function panel(offer) {
  const clock = el("span", { class: "offer-clock" });
  /** @type {HTMLButtonElement[]} */
  const buttons = ["buy", "decline"].map((said) =>
    el(
      "button",
      {
        type: "button",
        class: said === "buy" ? "button small main" : "button small",
        onclick: () => give(offer, said, buttons),
      },
      said === "buy" ? gettext("Buy") : gettext("No, thanks"),
    ),
  );
  const name = titles()[offer.kind] ?? offer.kind;
  const title = el("b", {}, name, " ", clock);
  // Read out with the button that has the focus: a name alone says neither chips nor price.
  const terms = el("span", { id: `offer-${offer.offer}` }, words(offer));
  const what = el("div", { class: "what" }, title, terms, el("p", {}, ...buttons));
  const kind = { class: "toast", role: "alertdialog", "aria-label": name, "data-kind": "good" };
  const node = el("div", { ...kind, "aria-describedby": terms.id, tabindex: -1 }, what);
  const tick = () => {
    const left = Math.ceil((offer.until_ms - now()) / 1000);
    if (left <= 0) remove(offer.offer);
    else text(clock, `${left} s`);
  };
  const timer = setInterval(tick, 250);
  tick();
  return { offer, node, timer };
}

/** @param {Offer} offer */
export function show(offer) {
  const known = shown.get(offer.offer);
  // After an outage an offer ends later than it was to.
  if (known) known.offer.until_ms = offer.until_ms;
  if (known || offer.until_ms <= now()) return;
  const made = panel({ ...offer });
  shown.set(offer.offer, made);
  corner().append(made.node);
  const first = isBusted(offer) ? made.node.querySelector("button") : made.node;
  if (mayTakeFocus()) first?.focus();
  sound("notice");
}

// Who is asked at a table or types an amount does not mean this panel with his next key.
function mayTakeFocus() {
  const typing = document.activeElement?.matches("input, textarea, select");
  return !typing && !document.querySelector("poker-table[data-my-turn]");
}

// The seat on this page waits for the answer: there is nothing else that Enter could mean.
/** @type {(offer: Offer) => boolean} */
function isBusted({ kind, tournament }) {
  const room = /** @type {any} */ (document.querySelector("poker-table"));
  if (kind === "add_on" || Number(room?.dataset.tournament) !== tournament) return false;
  const seat = room.model?.seat;
  return !seat?.in_hand || seat.chips === 0;
}

// All open offers, as a snapshot says: another was answered in another window, or is over, while
// this page heard nothing.
/** @param {Offer[]} offers */
export function know(offers) {
  const open = new Set(offers.map(({ offer }) => offer));
  for (const number of [...shown.keys()]) if (!open.has(number)) remove(number);
  for (const offer of offers) show(offer);
}

/** @param {number} number */
function remove(number) {
  const made = shown.get(number);
  if (!made) return;
  clearInterval(made.timer);
  made.node.remove();
  shown.delete(number);
}

// Why chips that were asked for are not sold, by the code of the refusal.
/** @type {() => Record<string, string>} */
const unsoldWords = () => ({
  insufficient_funds: gettext("Your account does not cover the price."),
  no_more_rebuys: gettext("You have used all your re-buys."),
  not_in_play: gettext("The entry was out before they came."),
  rebuys_closed: gettext("The re-buy period is over"),
  too_many_chips: gettext("You have too many chips to buy again."),
});

// Its player was told that the chips come: that they do not stays to be read.
/** @param {Wire.OfferEnded} event */
export function ended({ offer, name, why }) {
  remove(offer);
  if (!why) return;
  const words = [name, unsoldWords()[why]].filter(Boolean).join(" · ");
  tell(gettext("Your purchase could not be carried out"), words, { kind: "error", stays: 0 });
}

function corner() {
  return (
    document.getElementById("offers") ??
    document.body.appendChild(el("div", { id: "offers", class: "toasts offers", role: "region" }))
  );
}
