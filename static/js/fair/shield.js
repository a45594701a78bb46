// The judgement of a proof with this browser's notes: a colour, its reason, and evidence to save.

import { now } from "../shared/clock.js";
import * as b from "./bytes.js";
import { checked, OPENED } from "./checks.js";
import { openedHead } from "./log.js";
import { keepHead, keptHead, noted } from "./notes.js";
import { SENTENCES, SHIELDS, WHY_NOT } from "./words.js";

const [NO_SUCH_WAY, OK] = [404, 200];
// The log has a hand within a minute; only a room that stood still needs more.
const LOGGED_WITHIN_MS = 3_600_000;

/** The way from one head of the log to a larger one, empty where the room has none; null without its
 * answer, which says nothing of the log.
 * @type {(first: number, last: number) => Promise<string[] | null>} */
async function wayBetween(first, last) {
  try {
    const answer = await fetch(`/fair/consistency/${first}/${last}`);
    if (answer.status === NO_SUCH_WAY) return [];
    return answer.status === OK ? (await answer.json()).path : null;
  } catch {
    return null;
  }
}

/** The proof with what this browser noted: its hand, and the head it kept with the way between both.
 * @type {(proof: Fair.Proof) => Promise<{evidence: Fair.Proof, isWhole: boolean}>} */
async function withNotes(proof) {
  const room = b.digits((await b.sha(b.tag("room"), b.encoded(proof.origin))).slice(0, 16));
  const notes = proof.viewer === null ? null : noted({ ...proof, room });
  const mine = proof.roster.find((row) => row.seat === proof.viewer);
  // Another browser of this player may have pledged and cut: this one can say nothing of that.
  const other = { in_time: false, pledge: mine?.pledge ?? null, seed: mine?.seed ?? null };
  const whole = notes?.seal && notes?.call ? { ...proof, notes: { ...other, ...notes } } : proof;
  const kept = keptHead(proof.origin);
  if (!proof.log || !kept) return { evidence: whole, isWhole: true };
  const size = Number(proof.log.checkpoint.split("\n")[1]);
  // A page that was read before has an older head than the one kept since.
  const [first, last] = [Math.min(kept.size, size), Math.max(kept.size, size)];
  const path = await wayBetween(first, last);
  if (path === null) return { evidence: whole, isWhole: false };
  const seen = { checkpoint: kept.checkpoint, path };
  const log = { ...proof.log, ...(kept.size > size ? { newer: seen } : { older: seen }) };
  return { evidence: { ...whole, log }, isWhole: true };
}

// A hand that no log holds may be told otherwise to others, or later.
/** @param {Fair.Proof} proof */
const isUnlogged = ({ log, ended_ms: endedMs }) => !log && now() - endedMs > LOGGED_WITHIN_MS;

/** @type {(proof: Fair.Proof, failed: string[], isWhole: boolean) => {colour: string, words: string}} */
function judged(proof, failed, isWhole) {
  if (failed.length) return { colour: "red", words: `${SHIELDS.red} ${SENTENCES[failed[0]][1]}` };
  if (!isWhole) return { colour: "grey", words: SHIELDS.unanswered };
  if (isUnlogged(proof)) return { colour: "yellow", words: SHIELDS.unlogged };
  const own = proof.roster.find((row) => row.seat === proof.viewer);
  if (!proof.roster.some((row) => row.state === OPENED)) {
    const isPledged = proof.roster.some((row) => row.pledge);
    return { colour: "yellow", words: isPledged ? SHIELDS.silent : SHIELDS.unpledged };
  }
  if (own && own.state !== OPENED) return { colour: "yellow", words: WHY_NOT[own.state] };
  return { colour: "green", words: own ? SHIELDS.mine : SHIELDS.seen };
}

/** Check a proof, and keep the head of its log if all of it holds and continues the one kept before.
 * @type {(proof: Fair.Proof, keys: Fair.Keys) => Promise<{colour: string, words: string, found: Record<string, Fair.Outcome>, evidence: Fair.Proof}>} */
export async function judge(proof, keys) {
  // A proof of another form has no notes, and fails every check.
  const bare = { evidence: proof, isWhole: true };
  const { evidence, isWhole } = await withNotes(proof).catch(() => bare);
  const found = await checked(evidence, keys);
  const failed = Object.keys(found).filter((code) => found[code] === false);
  if (!failed.length && isWhole && proof.log) {
    const head = await openedHead(proof.origin, proof.log.checkpoint, keys.log.map(b.bytesOf));
    if (head) keepHead(proof.origin, head.size, proof.log.checkpoint);
  }
  return { ...judged(evidence, failed, isWhole), found, evidence };
}
