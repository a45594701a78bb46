// The shield of one hand as a button: grey until it is checked, then the colour of its proof.

import { el } from "../shared/dom.js";
import { gettext } from "../shared/i18n.js";
import { judge } from "./shield.js";

const GREY = gettext("Sealed before the deal. Check it.");
const NOT_YET = gettext("The proof of this hand is not there yet. Try again in a moment.");

const SVG = "http://www.w3.org/2000/svg";

// Drawn, because the fonts of many phones have no letter of a shield.
export function shieldDrawing() {
  const svg = document.createElementNS(SVG, "svg");
  for (const [name, value] of [
    ["viewBox", "0 0 16 18"],
    ["class", "shield"],
    ["aria-hidden", "true"],
  ])
    svg.setAttribute(name, value);
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", "M8 1 L15 3.5 V9 C15 13 12 15.8 8 17 C4 15.8 1 13 1 9 V3.5 Z");
  svg.append(path);
  return svg;
}

/** @type {(address: string) => Promise<any>} */
async function read(address) {
  const answer = await fetch(address);
  return answer.ok ? answer.json() : null;
}

/** A button that checks a hand when it is pressed; its words are read out.
 * @type {(table: number | string, hand: number | string, names?: Record<number, string>) => HTMLButtonElement} */
export function shieldMark(table, hand) {
  const words = el("span", { class: "fair-words", role: "status" });
  const button = el("button", { type: "button", class: "fair-mark", title: GREY });
  button.dataset.colour = "grey";
  button.append(shieldDrawing(), words);
  button.setAttribute("aria-label", GREY);
  /** @type {(colour: string, text: string) => void} */
  const tell = (colour, text) => {
    button.dataset.colour = colour;
    button.title = text;
    button.setAttribute("aria-label", text);
    words.textContent = text;
  };
  button.addEventListener("click", async () => {
    const found = await Promise.all([
      read(`/tables/${table}/hands/${hand}/proof.json`),
      read("/fair/keys"),
    ]).catch(() => []);
    const [proof, keys] = found;
    if (!proof || !keys) return tell("grey", NOT_YET);
    const judged = await judge(proof, keys);
    tell(judged.colour, judged.words);
  });
  return button;
}
