// The judgement of a proof with this browser's notes: a colour, its reason, and evidence to save.

import * as b from "./bytes.js";
import { checked, OPENED } from "./checks.js";
import { openedHead } from "./log.js";
import { keepHead, keptHead, noted } from "./notes.js";
import { SENTENCES, SHIELDS, WHY_NOT } from "./words.js";

/** The proof with what this browser noted: its hand, and the head it kept with the way between both.
 * @type {(proof: Fair.Proof) => Promise<Fair.Proof>} */
async function withNotes(proof) {
  const room = b.digits((await b.sha(b.tag("room"), b.encoded(proof.origin))).slice(0, 16));
  const notes = proof.viewer === null ? null : noted({ ...proof, room });
  const mine = proof.roster.find((row) => row.seat === proof.viewer);
  // Another browser of this player may have pledged and cut: this one can say nothing of that.
  const other = { in_time: false, pledge: mine?.pledge ?? null, seed: mine?.seed ?? null };
  const whole = notes?.seal && notes?.call ? { ...proof, notes: { ...other, ...notes } } : proof;
  const kept = keptHead(proof.origin);
  if (!proof.log || !kept) return whole;
  const size = Number(proof.log.checkpoint.split("\n")[1]);
  // A page that was read before has an older head than the one kept since.
  const [first, last] = [Math.min(kept.size, size), Math.max(kept.size, size)];
  const answer = await fetch(`/fair/consistency/${first}/${last}`).catch(() => null);
  const path = answer?.ok ? (await answer.json()).path : [];
  const seen = { checkpoint: kept.checkpoint, path };
  const log = { ...proof.log, ...(kept.size > size ? { newer: seen } : { older: seen }) };
  return { ...whole, log };
}

/** @type {(proof: Fair.Proof, failed: string[]) => {colour: string, words: string}} */
function judged(proof, failed) {
  if (failed.length) return { colour: "red", words: `${SHIELDS.red} ${SENTENCES[failed[0]][1]}` };
  const own = proof.roster.find((row) => row.seat === proof.viewer);
  if (!proof.roster.some((row) => row.state === OPENED)) {
    const isPledged = proof.roster.some((row) => row.pledge);
    return { colour: "yellow", words: isPledged ? SHIELDS.silent : SHIELDS.unpledged };
  }
  if (own && own.state !== OPENED) return { colour: "yellow", words: WHY_NOT[own.state] };
  return { colour: "green", words: own ? SHIELDS.mine : SHIELDS.seen };
}

/** Check a proof, and keep the head of its log if all of it holds.
 * @type {(proof: Fair.Proof, keys: Fair.Keys) => Promise<{colour: string, words: string, found: Record<string, Fair.Outcome>, evidence: Fair.Proof}>} */
export async function judge(proof, keys) {
  const evidence = await withNotes(proof);
  const found = await checked(evidence, keys);
  const failed = Object.keys(found).filter((code) => found[code] === false);
  if (!failed.length && proof.log) {
    const head = await openedHead(proof.origin, proof.log.checkpoint, keys.log.map(b.bytesOf));
    if (head) keepHead(proof.origin, head.size, proof.log.checkpoint);
  }
  return { ...judged(evidence, failed), found, evidence };
}
