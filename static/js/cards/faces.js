// A card on the screen: a drawing, from 36 px up, else its rank and suit as text.

import { attribute, childrenOf, el } from "../shared/dom.js";
import { gettext, interpolate } from "../shared/i18n.js";
import { rankName } from "./hand_words.js";

const FOLDER = new URL("../../cards/", import.meta.url).href;
/** @type {Record<string, string>} */
const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };
const RANKS = "23456789TJQKA";
const HIDDEN = "??";

/** @type {() => Record<string, string>} */
const suitNames = () => ({
  s: gettext("spades"),
  h: gettext("hearts"),
  d: gettext("diamonds"),
  c: gettext("clubs"),
});

/** @type {(card: string) => string} */
export function cardName(card) {
  if (card === HIDDEN) return gettext("face-down card");
  const rank = rankName(card[0]);
  return interpolate(gettext("%(rank)s of %(suit)s"), { rank, suit: suitNames()[card[1]] });
}

/** @type {(card: string) => string} */
export const cardSigns = (card) =>
  card === HIDDEN ? "🂠" : `${card[0] === "T" ? "10" : card[0]}${SIGNS[card[1]]}`;

/** @type {(card: string, options?: {small?: boolean}) => HTMLElement} */
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
  if (!small) node.append(drawn(card));
  return node;
}

// Until its drawing has come, a card shows its rank and suit.
/** @type {(card: string) => HTMLImageElement} */
function drawn(card) {
  const image = el("img", { src: drawing(card), alt: "", draggable: "false" });
  const mark = () => attribute(image, "data-drawn", image.naturalWidth > 0);
  for (const news of ["load", "error"]) image.addEventListener(news, mark);
  mark();
  return image;
}

// In a deck of two colours diamonds are red and clubs are black.
/** @type {(card: string) => string} */
function drawing(card) {
  const isOther = document.body.dataset.deck === "two" && "dc".includes(card[1]);
  return `${FOLDER}${isOther ? "two/" : ""}${card}.svg`;
}

// Fetch the drawings of a whole deck before its cards come, unless the browser is to save data.
export function fetchDrawings() {
  const { connection } = /** @type {Navigator & {connection?: {saveData?: boolean}}} */ (navigator);
  if (connection?.saveData) return;
  for (const suit of Object.keys(SIGNS))
    for (const rank of RANKS)
      Object.assign(new Image(), { fetchPriority: "low", src: drawing(`${rank}${suit}`) });
}

// Draws the cards on the table anew after another deck was chosen.
export function drawDeck() {
  for (const image of document.querySelectorAll(".card[data-suit] img")) {
    const { card = "" } = /** @type {HTMLElement} */ (image.closest("[data-card]")).dataset;
    attribute(image, "src", drawing(card));
  }
}

// Show `cards` in `holder`, leaving the ones already lying there in peace (no new deal animation).
/** @type {(holder: Element, cards: string[], options?: {small?: boolean}) => void} */
export function layCards(holder, cards, options) {
  const lying = childrenOf(holder);
  cards.forEach((card, index) => {
    if (lying[index]?.dataset.card === card) return;
    const fresh = cardElement(card, options);
    if (lying[index]) lying[index].replaceWith(fresh);
    else holder.append(fresh);
  });
  for (const extra of lying.slice(cards.length)) extra.remove();
}

// Raise the cards that make a winning hand, and take the light off the others; none: all as usual.
/** @type {(holder: Element, five: Set<string>) => void} */
export function markFive(holder, five) {
  for (const card of childrenOf(holder)) {
    const isIn = five.has(card.dataset.card ?? "");
    attribute(card, "data-five", isIn);
    attribute(card, "data-beside", five.size > 0 && !isIn);
  }
}
