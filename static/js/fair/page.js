// The page of a proof: checks it in this browser and shows envelopes, cuts and every check.

import { cardName } from "../cards/faces.js";
import { el } from "../shared/dom.js";
import { CHECKS, checked, OPENED } from "./checks.js";
import { CUTS, NOTHING, SENTENCES, SHIELDS, UNSIGNED, WHY_NOT } from "./words.js";

const FOLDER = new URL("../../cards/", import.meta.url).href;
const { proof, keys, names } = JSON.parse(document.getElementById("given")?.textContent ?? "{}");
const shield = /** @type {HTMLElement} */ (document.getElementById("shield"));
const list = /** @type {HTMLElement} */ (document.getElementById("checks"));

function envelopes() {
  const opened = new Map(proof.openings.map((one) => [one.place, one.card]));
  const boxes = proof.envelopes.map((hash, place) => {
    const card = opened.get(place);
    const box = el("li", { title: hash });
    box.append(
      card ? el("img", { src: `${FOLDER}${card}.svg`, alt: cardName(card) }) : String(place + 1),
    );
    box.classList.toggle("open", Boolean(card));
    return box;
  });
  document.getElementById("envelopes")?.append(...boxes);
}

function cuts() {
  const rows = proof.roster.map(({ seat, state, seed, pledge }) => {
    const row = el("tr");
    const told = seed ?? pledge ?? "";
    row.append(
      el("th", { scope: "row" }, names[seat] ?? String(seat)),
      el("td", {}, CUTS[state]),
      el("td", { class: "hash", title: told }, told.slice(0, 16)),
    );
    row.classList.toggle("own", seat === proof.viewer);
    return row;
  });
  document.getElementById("cuts")?.append(...rows);
}

/** @type {(colour: string, words: string) => void} */
function show(colour, words) {
  shield.dataset.colour = colour;
  shield.querySelector("p")?.replaceChildren(words);
}

// A proof that fails is evidence: its download says so.
function offerEvidence() {
  const link = /** @type {HTMLElement} */ (document.getElementById("proof"));
  link.classList.add("main");
  link.textContent = link.dataset.red ?? "";
}

/** @type {(found: Record<string, boolean | null | "unsigned">) => void} */
function judge(found) {
  const failed = Object.keys(found).filter((code) => found[code] === false);
  const own = proof.roster.find((row) => row.seat === proof.viewer);
  const isPledged = proof.roster.some((row) => row.pledge);
  const isCut = proof.roster.some((row) => row.state === OPENED);
  if (failed.length) show("red", `${SHIELDS.red} ${SENTENCES[failed[0]][1]}`);
  else if (!isCut) show("yellow", isPledged ? SHIELDS.silent : SHIELDS.unpledged);
  else if (own && own.state !== OPENED) show("yellow", WHY_NOT[own.state]);
  else show("green", own ? SHIELDS.mine : SHIELDS.seen);
  if (failed.length) offerEvidence();
}

function marks(found) {
  const rows = Object.keys(CHECKS).map((name) => {
    const code = name.toUpperCase();
    const holds = found[code];
    const [yes, no] = SENTENCES[code];
    const words = { true: yes, false: no, null: NOTHING[code], unsigned: UNSIGNED };
    const mark = { true: "✓", false: "✗", null: "–", unsigned: "–" };
    const row = el("li", { class: `is-${holds}` });
    row.append(el("span", { class: "mark" }, mark[String(holds)]), " ", words[String(holds)], " ");
    row.append(el("small", {}, code));
    return row;
  });
  list.replaceChildren(...rows);
}

envelopes();
cuts();
if (window.crypto?.subtle) {
  show("grey", SHIELDS.grey);
  const found = await checked(proof, keys);
  marks(found);
  judge(found);
} else show("grey", SHIELDS.closed);
