// The page of a proof: checks it in this browser and shows envelopes, cuts and every check.

import { cardName } from "../cards/faces.js";
import { el } from "../shared/dom.js";
import { CHECKS } from "./checks.js";
import { judge } from "./shield.js";
import { CUTS, NOTHING, SENTENCES, SHIELDS } from "./words.js";

const FOLDER = new URL("../../cards/", import.meta.url).href;
/** @type {{proof: Fair.Proof, keys: Fair.Keys, names: Record<number, string>}} */
const { proof, keys, names } = JSON.parse(document.getElementById("given")?.textContent ?? "{}");
const shield = /** @type {HTMLElement} */ (document.getElementById("shield"));
const list = /** @type {HTMLElement} */ (document.getElementById("checks"));

function envelopes() {
  const opened = new Map((proof.openings ?? []).map((one) => [one.place, one.card]));
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

// A proof that fails is evidence: its download says so, and holds this browser's notes.
/** @param {Fair.Proof} evidence */
function offerEvidence(evidence) {
  const link = /** @type {HTMLAnchorElement} */ (document.getElementById("proof"));
  link.classList.add("main");
  link.textContent = link.dataset.red ?? "";
  link.href = URL.createObjectURL(
    new Blob([JSON.stringify(evidence)], { type: "application/json" }),
  );
}

/** @param {Record<string, Fair.Outcome>} found */
function marks(found) {
  const rows = Object.keys(CHECKS).map((name) => {
    const code = name.toUpperCase();
    const holds = found[code];
    const [yes, no] = SENTENCES[code];
    /** @type {Record<string, string>} */
    const words = { true: yes, false: no, null: NOTHING[code] };
    /** @type {Record<string, string>} */
    const mark = { true: "✓", false: "✗", null: "–" };
    const row = el("li", { class: `is-${holds}` });
    row.append(el("span", { class: "mark" }, mark[String(holds)]), " ", words[String(holds)], " ");
    row.append(el("small", {}, code));
    return row;
  });
  list.replaceChildren(...rows);
}

show("grey", SHIELDS.grey);
try {
  envelopes();
  cuts();
} catch {
  // A proof of another form is not drawn; the checks say so.
}
const { colour, words, found, evidence } = await judge(proof, keys);
marks(found);
show(colour, words);
if (colour === "red") offerEvidence(evidence);
