// The checks of a proof, the same as in verify.py, each of them true, false, or null for nothing to
// check. A hand that is in no log yet leaves V13 to V15 open.

import * as b from "./bytes.js";
import { courseOf, Deal, followed } from "./course.js";
import { isEvent, isProof } from "./form.js";
import { v13, v14, v15 } from "./log.js";
import { envelopesOf, sealOf } from "./sealing.js";

const { DECK, DECK_SIZE, PLAYED, UNPLAYED, VOID_IN_PLAY } = b;
export const [NO_PLEDGE, SILENT, OPENED, LATE] = [0, 1, 2, 3];

/** @type {(text: string | null | undefined) => Uint8Array} */
const bytes = (text) => (text ? b.bytesOf(text) : b.ZEROS);
/** @type {(values: unknown[]) => boolean} */
const unique = (values) => new Set(values).size === values.length;

/** What all checks need: ids, parsed course, and the cards it dealt.
 * @type {(proof: Fair.Proof, keys: Fair.Keys) => Promise<Fair.Given>} */
async function prepared(proof, keys) {
  if (!isProof(proof)) throw new Error("no proof");
  const room = (await b.sha(b.tag("room"), b.encoded(proof.origin))).slice(0, 16);
  const hand = b.joined(room, b.u64(proof.table), b.u64(proof.epoch), b.u32(proof.hand));
  const events = (proof.course ?? []).map((line) =>
    typeof line === "string" ? JSON.parse(line) : line,
  );
  if (!events.every(isEvent)) throw new Error("no event");
  const seal = b.bytesOf(proof.seal);
  const isEmpty = proof.fate !== PLAYED && events.length === 0;
  const deal = isEmpty ? new Deal() : followed(proof, events);
  const course = await courseOf(events, hand, seal);
  const [callKeys, logKeys] = [keys.call.map(b.bytesOf), keys.log.map(b.bytesOf)];
  return { proof, room, hand, events, seal, deal, course, callKeys, logKeys };
}

// The seal is that of the 52 envelopes.
/** @type {(given: Fair.Given) => Promise<Fair.Outcome>} */
async function v01({ proof, hand }) {
  if (proof.cards !== DECK_SIZE || proof.envelopes.length !== DECK_SIZE) return false;
  return (await sealOf(hand, proof.envelopes)) === proof.seal;
}

// A secret that is published makes exactly these envelopes.
/** @type {(given: Fair.Given) => Promise<Fair.Outcome>} */
async function v02({ proof, hand }) {
  const secrets = [proof.secret, proof.auditor?.secret].flatMap((one) => one || []);
  if (!secrets.length) return proof.fate < 3 ? null : false;
  for (const secret of secrets) {
    const { order, envelopes } = await envelopesOf(secret, hand);
    if (envelopes.some((made, place) => made !== proof.envelopes[place])) return false;
    const deck = (proof.cut ?? []).map((place) => DECK[order[place]]).join("");
    if (proof.auditor?.deck && proof.auditor.deck !== deck) return false;
  }
  return true;
}

// The call is that of seal, seats and pledges, and signed.
/** @type {(given: Fair.Given) => Promise<Fair.Outcome>} */
async function v03({ proof, hand, seal, callKeys }) {
  if (!proof.call && proof.fate > VOID_IN_PLAY && !proof.roster.length) return null;
  if (proof.fate === UNPLAYED) return false;
  const seats = proof.roster.map((row) => row.seat);
  const sorted = [...seats].sort((one, two) => one - two);
  if (!seats.length || !unique(seats) || String(seats) !== String(sorted)) return false;
  if (!unique(proof.roster.map((row) => row.entry))) return false;
  const rows = proof.roster.map((row) =>
    b.joined(b.u8(row.seat), b.u64(row.entry), bytes(row.pledge)),
  );
  const call = await b.sha(b.tag("call"), hand, seal, b.u8(rows.length), ...rows);
  if (b.digits(call) !== proof.call) return false;
  const message = b.joined(b.tag("called"), call);
  const signature = b.bytesOf(proof.call_signature ?? "");
  const signed = await Promise.all(callKeys.map((key) => b.isSigned(key, message, signature)));
  return signed.includes(true);
}

// Every seed opens its pledge; states and seeds fit; no seed is there twice.
/** @type {(given: Fair.Given) => Promise<Fair.Outcome>} */
async function v04({ proof, room }) {
  const values = [];
  for (const { entry, state, pledge, seed } of proof.roster) {
    if (Boolean(pledge) !== state > NO_PLEDGE || Boolean(seed) !== state > SILENT) return false;
    if (seed) {
      const made = await b.sha(b.tag("pledge"), room, b.u64(entry), b.bytesOf(seed));
      if (b.digits(made) !== pledge) return false;
    }
    values.push(...[pledge, seed].filter(Boolean));
  }
  return unique(values);
}

// Seal, call, own cut, own cards and course are those that this browser noted.
/** @type {(given: Fair.Given) => Promise<Fair.Outcome>} */
async function v05({ proof, deal, course, events }) {
  const { notes } = proof;
  if (!notes) return null;
  if (notes.seal !== proof.seal || (notes.call ?? null) !== (proof.call ?? null)) return false;
  const mine = proof.roster.find((row) => row.entry === notes.entry);
  if (proof.roster.length && mine?.seat !== proof.viewer) return false;
  if (mine) {
    if ((mine.pledge ?? null) !== (notes.pledge ?? null)) return false;
    if ((mine.seed ?? notes.seed ?? null) !== (notes.seed ?? null)) return false;
    if (proof.fate < 3 && notes.in_time && mine.state !== OPENED) return false;
  }
  if (proof.fate === VOID_IN_PLAY && !events.length) return true;
  if (!deal) return false;
  const opened = new Map((proof.openings ?? []).map((one) => [one.position, one.card]));
  const own = (deal.hole.get(proof.viewer ?? 0) ?? []).map((place) => opened.get(place));
  if (notes.hole && String(notes.hole) !== String(own)) return false;
  return !notes.course || notes.course === b.digits(course);
}

// The hand was sealed, called, dealt and ended in this order.
/** @type {(given: Fair.Given) => Fair.Outcome} */
function v06({ proof }) {
  const between = [proof.called_ms ?? 0, proof.dealt_ms ?? 0];
  const kept = between.filter((at) => at || proof.fate === PLAYED);
  const moments = [proof.sealed_ms, ...kept, proof.ended_ms];
  return moments[0] > 0 && moments.every((at, number) => !number || moments[number - 1] <= at);
}

// The cut follows from the call and the seeds that were opened in time.
/** @type {(given: Fair.Given) => Promise<Fair.Outcome>} */
async function v07({ proof, hand, events }) {
  const isCut = proof.cut_key || proof.cut?.length || events.length;
  if (proof.fate > PLAYED && !isCut) return null;
  const seeds = proof.roster.map(({ state, seed }) =>
    state === OPENED
      ? b.joined(b.u8(OPENED), bytes(seed))
      : b.joined(b.u8(state > NO_PLEDGE ? SILENT : NO_PLEDGE), b.ZEROS),
  );
  const key = await b.sha(b.tag("cutkey"), bytes(proof.call), b.u8(seeds.length), ...seeds);
  if (b.digits(key) !== proof.cut_key) return false;
  return String(b.permuted(await b.stream(key, "cut", hand))) === String(proof.cut);
}

// Each opened card lay in the envelope at its position; no card and no position is there twice.
/** @type {(given: Fair.Given) => Promise<Fair.Outcome>} */
async function v08({ proof }) {
  const openings = proof.openings ?? [];
  for (const { position, place, card, salt } of openings) {
    if (proof.cut[position] !== place || !DECK.includes(card)) return false;
    const number = DECK.indexOf(card);
    const made = await b.sha(b.tag("card"), b.u8(place, number), b.bytesOf(salt));
    if (b.digits(made) !== proof.envelopes[place]) return false;
  }
  return unique(openings.map((one) => one.card)) && unique(openings.map((one) => one.position));
}

// Seats dealt in were called; order of dealing, burns and streets are those of the game.
/** @type {(given: Fair.Given) => Fair.Outcome} */
const v09 = ({ deal }) => deal !== null;

// All that was shown and all own cards are opened, and they are what was told.
/** @type {(given: Fair.Given) => Fair.Outcome} */
function v10({ proof, deal }) {
  if (!deal || deal.clash) return false;
  const opened = new Map((proof.openings ?? []).map((one) => [one.position, one.card]));
  const own = deal.own(proof.viewer, proof.looked_up ?? []);
  const due = proof.fate === PLAYED ? [...own, ...deal.shown.keys()] : [...opened.keys()];
  return due.every(
    (place) =>
      opened.has(place) && (deal.shown.get(place) ?? opened.get(place)) === opened.get(place),
  );
}

// Nothing else is opened, and each card only to those who were shown it.
/** @type {(given: Fair.Given) => Fair.Outcome} */
function v11({ proof, deal }) {
  if (!deal) return false;
  if (proof.fate > VOID_IN_PLAY) return true;
  if (proof.secret) return false;
  const own = deal.own(proof.viewer, proof.looked_up ?? []);
  return (proof.openings ?? []).every(({ position, to }) =>
    deal.shown.has(position) ? to === "all" : own.has(position) && to === "you",
  );
}

// The first button follows from the cut.
/** @type {(given: Fair.Given) => Promise<Fair.Outcome>} */
async function v12({ proof, hand, events }) {
  const [drawn, began] = events;
  if (drawn?.type !== "button_drawn" || !began) return null;
  const seats = proof.roster.map((row) => row.seat).sort((one, two) => one - two);
  const order = b.permuted(await b.stream(bytes(proof.cut_key), "button", hand));
  const cards = seats.map((seat, number) => [seat, DECK[order[number]]]);
  if (drawn.cards.length && String(drawn.cards) !== String(cards)) return false;
  const highest =
    seats[order.slice(0, seats.length).indexOf(Math.max(...order.slice(0, seats.length)))];
  return drawn.button === highest && began.button === highest;
}

const IN_THE_HAND = { v01, v02, v03, v04, v05, v06, v07, v08, v09, v10, v11, v12 };
export const CHECKS = { ...IN_THE_HAND, v13, v14, v15 };

// The outcome of every check by its code; a proof that cannot even be read fails them all.
/** @type {(proof: Fair.Proof, keys: Fair.Keys) => Promise<Record<string, Fair.Outcome>>} */
export async function checked(proof, keys) {
  /** @type {Record<string, Fair.Outcome>} */
  const found = {};
  /** @type {Fair.Given | null} */
  let given = null;
  try {
    given = await prepared(proof, keys);
  } catch {
    // Each check below says so.
  }
  for (const [name, check] of Object.entries(CHECKS)) {
    try {
      found[name.toUpperCase()] = given ? await check(given) : false;
    } catch {
      found[name.toUpperCase()] = false;
    }
  }
  return found;
}
