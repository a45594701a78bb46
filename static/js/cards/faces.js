// A card on the screen: a drawing, from 36 px up, else its rank and suit as text.

import { attribute, el } from "../shared/dom.js";
import { gettext, interpolate } from "../shared/i18n.js";
import { rankName } from "./hand_words.js";

const FOLDER = new URL("../../cards/", import.meta.url).href;
const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };
const HIDDEN = "??";

const suitNames = () => ({
  s: gettext("spades"),
  h: gettext("hearts"),
  d: gettext("diamonds"),
  c: gettext("clubs"),
});

export function cardName(card) {
  if (card === HIDDEN) return gettext("face-down card");
  const rank = rankName(card[0]);
  return interpolate(gettext("%(rank)s of %(suit)s"), { rank, suit: suitNames()[card[1]] });
}

export const cardSigns = (card) =>
  card === HIDDEN ? "🂠" : `${card[0] === "T" ? "10" : card[0]}${SIGNS[card[1]]}`;

function cardElement(card, { small = false } = {}) {
  const node = el("span", { class: "card", "data-card": card, role: "img" });
  node.setAttribute("aria-label", cardName(card));
  if (card === HIDDEN) {
    node.classList.add("back");
    return node;
  }
  node.dataset.suit = card[1];
  node.append(
    el(
      "span",
      { class: "face", "aria-hidden": "true" },
      card[0] === "T" ? "10" : card[0],
      el("i", {}, SIGNS[card[1]]),
    ),
  );
  if (!small) node.append(el("img", { src: `${FOLDER}${card}.svg`, alt: "", draggable: "false" }));
  return node;
}

// Show `cards` in `holder`, leaving the ones already lying there in peace (no new deal animation).
export function layCards(holder, cards, options) {
  const lying = [...holder.children];
  cards.forEach((card, index) => {
    if (lying[index]?.dataset.card === card) return;
    const fresh = cardElement(card, options);
    if (lying[index]) lying[index].replaceWith(fresh);
    else holder.append(fresh);
  });
  for (const extra of lying.slice(cards.length)) extra.remove();
}

// Raise the cards that make a winning hand, and take the light off the others; none: all as usual.
export function markFive(holder, five) {
  for (const card of holder.children) {
    const isIn = five.has(card.dataset.card);
    attribute(card, "data-five", isIn);
    attribute(card, "data-beside", five.size > 0 && !isIn);
  }
}
