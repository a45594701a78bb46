// The form of each value of a proof, as verify.py reads it. A number that is written as text may be
// hashed to the same bytes and yet be another seat to a check: such a proof is not read at all.

import { DECK, PLAYED, UNPLAYED } from "./bytes.js";
import { FIELDS } from "./course.js";

// A number is the largest one allowed, a list of one is a list of its item, a longer one is a list of
// just these, an object its fields; "?" ends the name of one that may be missing or null.
/** @typedef {number | boolean | RegExp | any[] | {[name: string]: any}} Form */

const [SEAT, HAND, NUMBER, PLACE] = [255, 2 ** 32 - 1, Number.MAX_SAFE_INTEGER, DECK.length - 1];
const [ROWS_MAX, LATEST, REASON_MAX, UP_MAX] = [255, 3, 7, 5];
/** @type {(bytes: number) => RegExp} */
const digits = (bytes) => new RegExp(`^[0-9a-f]{${2 * bytes}}$`);
const [TEXT, HASH, SALT, SIGNATURE] = [/^/, digits(32), digits(16), digits(64)];
const CARD = new RegExp(`^(${DECK.join("|")})$`);
const SHOWN = new RegExp(`^(${DECK.join("|")}|\\?\\?)$`);

const LEAF = { index: NUMBER, path: [HASH] };
const SEEN = { checkpoint: TEXT, path: [HASH] };
const PROOF = {
  version: 1,
  origin: TEXT,
  table: NUMBER,
  epoch: NUMBER,
  hand: HAND,
  variant: TEXT,
  cards: SEAT,
  fate: UNPLAYED,
  reason: REASON_MAX,
  sealed_ms: NUMBER,
  "called_ms?": NUMBER,
  "dealt_ms?": NUMBER,
  ended_ms: NUMBER,
  seal: HASH,
  envelopes: [HASH],
  "call?": HASH,
  "call_signature?": SIGNATURE,
  "cut_key?": HASH,
  "cut?": [PLACE],
  roster: [{ seat: SEAT, entry: NUMBER, state: LATEST, "pledge?": HASH, "seed?": HASH }],
  "secret?": HASH,
  "viewer?": SEAT,
  "looked_up?": [SEAT],
  "openings?": [{ position: PLACE, place: PLACE, card: CARD, salt: SALT, to: TEXT }],
  "escrow_hash?": HASH,
  "notes?": {
    "seal?": HASH,
    "call?": HASH,
    "entry?": NUMBER,
    "pledge?": HASH,
    "seed?": HASH,
    "in_time?": true,
    "hole?": [CARD],
    "course?": HASH,
  },
  "auditor?": { secret: HASH, "deck?": TEXT },
  "log?": { seal: LEAF, fate: LEAF, checkpoint: TEXT, "older?": SEEN, "newer?": SEEN },
};

const TEXTS = ["variant", "limit", "kind", "street", "half"];
/** The forms of fields of events that are no numbers.
 * @type {Record<string, Form>} */
const VALUES = {
  ...Object.fromEntries(TEXTS.map((name) => [name, TEXT])),
  ...Object.fromEntries(["seat", "button", "small_blind", "big_blind"].map((one) => [one, SEAT])),
  hand: HAND,
  up: UP_MAX,
  pots: [{ amount: NUMBER, seats: [SEAT] }],
  stacks: [{ seat: SEAT, chips: NUMBER }],
  winners: [{ seat: SEAT, amount: NUMBER }],
  cards: [SHOWN],
  hands: [[SEAT, [SHOWN]]],
};
const DRAWN = [[SEAT, CARD]];

/** @type {(type: string, name: string) => [string, Form]} */
const fieldOf = (type, name) => [
  name.endsWith("_blind") ? `${name}?` : name,
  type === "button_drawn" && name === "cards" ? DRAWN : (VALUES[name] ?? NUMBER),
];

/** The fields of each event that are in its line of the course.
 * @type {Map<string, Form>} */
const EVENTS = new Map(
  Object.entries(FIELDS).map(([type, names]) => [
    type,
    Object.fromEntries(names.map((name) => fieldOf(type, name))),
  ]),
);

/** @type {(value: any, form: Form) => boolean} */
function isOf(value, form) {
  if (form instanceof RegExp) return typeof value === "string" && form.test(value);
  if (typeof form === "boolean") return typeof value === "boolean";
  if (typeof form === "number") return Number.isInteger(value) && value >= 0 && value <= form;
  if (Array.isArray(form)) {
    if (!Array.isArray(value) || (form.length > 1 && value.length !== form.length)) return false;
    return value.every((item, at) => isOf(item, form[at % form.length]));
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.entries(form).every(([name, inner]) => {
    const found = value[name.replace("?", "")] ?? null;
    return found === null ? name.endsWith("?") : isOf(found, inner);
  });
}

/** Whether all values of a proof have their form; its course is checked event by event.
 * @type {(proof: any) => boolean} */
export function isProof(proof) {
  if (!isOf(proof, PROOF) || proof.version !== 1 || proof.fate < PLAYED) return false;
  const { fate, course, openings, looked_up: lookedUp, roster } = proof;
  if (fate === PLAYED && ![course, openings, lookedUp].every(Array.isArray)) return false;
  return roster.length <= ROWS_MAX && (openings ?? []).length <= ROWS_MAX;
}

/** @type {(event: any) => boolean} */
export function isEvent(event) {
  const form = EVENTS.get(event?.type);
  return form !== undefined && isOf(event, form);
}
