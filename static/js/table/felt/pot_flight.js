// A pot that was won goes to its winner before everybody's eyes, unless they want no motion.

import { el } from "../../shared/dom.js";

const FLIGHT_MS = 650;
const MIDDLE = { x: 50, y: 46 };
const calm = window.matchMedia("(prefers-reduced-motion: reduce)");

// `area` holds the table, `spot` is where the seat lies in it, in percent; `words` name the sum.
/** @type {(area: Element, spot: Felt.Spot | undefined, words: string) => HTMLElement | null} */
export function flyPot(area, spot, words) {
  if (calm.matches || document.hidden || !spot) return null;
  const node = el("span", { class: "heap flying", "aria-hidden": "true" }, words);
  area.append(node);
  /** @type {(spot: Felt.Spot) => {left: string, top: string}} */
  const at = ({ x, y }) => ({ left: `${x}%`, top: `${y}%` });
  const flight = node.animate(
    [
      { ...at(MIDDLE), opacity: 0.2 },
      { ...at(MIDDLE), opacity: 1, offset: 0.2 },
      { ...at(spot), opacity: 1, offset: 0.9 },
      { ...at(spot), opacity: 0 },
    ],
    { duration: FLIGHT_MS, easing: "ease-in-out" },
  );
  flight.onfinish = () => node.remove();
  flight.oncancel = flight.onfinish;
  return node;
}
