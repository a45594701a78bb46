// The checks V13 to V15 of a proof against the public log (RFC 6962, RFC 9162, C2SP checkpoints).

import * as b from "./bytes.js";

const NOTE = /^([^\n]+)\n(0|[1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n\n((?:— [^\n]+\n)+)$/;
const [SEAL_LEAF, FATE_LEAF] = [1, 2];

/** @type {(text: string) => Uint8Array} */
const base64 = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));

/** Size and root of a head that a key of this log signed, or null.
 * @type {(origin: string, note: string, keys: Uint8Array[]) => Promise<{size: number, root: string} | null>} */
export async function openedHead(origin, note, keys) {
  const found = NOTE.exec(note);
  if (!found || found[1] !== origin) return null;
  const [, , size, root, signatures] = found;
  const text = b.encoded(`${origin}\n${size}\n${root}\n`);
  for (const line of signatures.trimEnd().split("\n")) {
    const [, name, value] = /^— (\S+) ([A-Za-z0-9+/]{91}=)$/.exec(line) ?? [];
    if (name !== origin) continue;
    const bytes = base64(value);
    for (const key of keys) {
      const named = (await b.sha(b.encoded(origin), b.u8(10, 1), key)).subarray(0, 4);
      if (b.digits(named) !== b.digits(bytes.subarray(0, 4))) continue;
      if (await b.isSigned(key, text, bytes.subarray(4)))
        return { size: Number(size), root: b.digits(base64(root)) };
    }
  }
  return null;
}

/** The roots that a path leads to: a hash from the left joins every node, one from the right the
 * last; null for a path of another length.
 * @type {(first: number, last: number, nodes: Uint8Array[], path: string[]) => Promise<string[] | null>} */
async function climbed(first, last, nodes, path) {
  /** @type {(value: number) => number} */
  const half = (value) => Math.floor(value / 2);
  for (const digits of path) {
    if (!last) return null;
    const other = b.bytesOf(digits);
    if (first % 2 || first === last) {
      nodes = await Promise.all(nodes.map((node) => b.sha(b.u8(1), other, node)));
      while (first && first % 2 === 0) [first, last] = [half(first), half(last)];
    } else {
      const newest = await b.sha(b.u8(1), nodes[nodes.length - 1], other);
      nodes = [...nodes.slice(0, -1), newest];
    }
    [first, last] = [half(first), half(last)];
  }
  return last ? null : nodes.map(b.digits);
}

/** Whether the log holds one of these leaves where the proof says.
 * @type {(at: Fair.LogLeaf, head: {size: number, root: string}, leaves: Uint8Array[]) => Promise<boolean>} */
async function holds(at, head, leaves) {
  if (!Number.isSafeInteger(at.index) || at.index < 0 || at.index >= head.size) return false;
  for (const leaf of leaves) {
    const roots = await climbed(at.index, head.size - 1, [await b.sha(b.u8(0), leaf)], at.path);
    if (roots?.[0] === head.root) return true;
  }
  return false;
}

/** @type {(text: string | null | undefined) => Uint8Array} */
const bytes = (text) => (text ? b.bytesOf(text) : b.ZEROS);
/** @type {(given: Fair.Given, log: Fair.ProofLog) => ReturnType<typeof openedHead>} */
const headOf = ({ proof, logKeys }, { checkpoint }) =>
  openedHead(proof.origin, checkpoint, logKeys);

// The seal is in the log, under a head that the room signed.
/** @type {(given: Fair.Given) => Promise<Fair.Outcome>} */
export async function v13(given) {
  const { proof, hand, seal } = given;
  if (!proof.log) return null;
  const head = await headOf(given, proof.log);
  const start = b.joined(b.u8(1, SEAL_LEAF), hand, seal, b.u64(proof.sealed_ms));
  const leaf = b.joined(start, bytes(proof.escrow_hash));
  return head !== null && holds(proof.log.seal, head, [leaf]);
}

/** What the log holds of the public part of a hand.
 * @type {(given: Fair.Given) => Promise<Uint8Array>} */
async function publicHash({ proof, hand, seal }) {
  const seats = proof.roster.map((row) =>
    b.joined(b.u8(row.seat), b.u64(row.entry), b.u8(row.state), bytes(row.pledge), bytes(row.seed)),
  );
  const open = (proof.openings ?? []).filter((one) => one.to === "all");
  open.sort((one, two) => one.position - two.position);
  const cards = open.map((one) =>
    b.joined(b.u8(one.position, one.place, b.cardNumber(one.card)), b.bytesOf(one.salt)),
  );
  const moments = b.joined(b.u64(proof.called_ms ?? 0), b.u64(proof.dealt_ms ?? 0));
  const start = b.joined(b.tag("public"), hand, seal, moments);
  return b.sha(start, b.u8(seats.length), ...seats, b.u8(cards.length), ...cards);
}

// The end of the hand, its public part and its course are in the log, after the seal.
/** @type {(given: Fair.Given) => Promise<Fair.Outcome>} */
export async function v14(given) {
  const { proof, hand, seal, course } = given;
  if (!proof.log) return null;
  const head = await headOf(given, proof.log);
  if (!head || (proof.fate === b.PLAYED) !== (proof.reason === 0)) return false;
  const known = await publicHash(given);
  const ended = b.joined(b.u8(proof.fate, proof.reason), b.u64(proof.ended_ms));
  const start = b.joined(b.u8(1, FATE_LEAF), hand, seal, ended);
  const parts = proof.fate === b.PLAYED ? [known] : [known, b.ZEROS];
  const courses = proof.fate === b.PLAYED ? [course] : [course, b.ZEROS];
  const ends = parts.flatMap((part) => courses.map((one) => b.joined(start, part, one)));
  return (await holds(proof.log.fate, head, ends)) && proof.log.seal.index < proof.log.fate.index;
}

// The log continues an older head, and a newer one continues it; null without either.
/** @type {(given: Fair.Given) => Promise<Fair.Outcome>} */
export async function v15(given) {
  const { proof, logKeys } = given;
  if (!proof.log) return null;
  const head = await headOf(given, proof.log);
  if (!head) return false;
  const { older, newer } = proof.log;
  if (!older && !newer) return null;
  for (const seen of [older, newer]) {
    if (!seen) continue;
    const other = await openedHead(proof.origin, seen.checkpoint, logKeys);
    if (!other) return false;
    const [first, last] = seen === older ? [other, head] : [head, other];
    if (!(await continues(first, last, seen.path))) return false;
  }
  return true;
}

/** Whether the path proves that a log began as the older head says.
 * @type {(old: {size: number, root: string}, head: {size: number, root: string}, path: string[]) => Promise<boolean>} */
export async function continues(old, head, path) {
  if (old.size === head.size) return old.root === head.root && !path.length;
  if (!(old.size > 0 && old.size < head.size)) return false;
  let [first, last] = [old.size - 1, head.size - 1];
  const isWhole = Number.isInteger(Math.log2(old.size));
  while (first % 2) [first, last] = [Math.floor(first / 2), Math.floor(last / 2)];
  const [start, ...rest] = isWhole ? [old.root, ...path] : path;
  if (!start) return false;
  const roots = await climbed(first, last, [b.bytesOf(start), b.bytesOf(start)], rest);
  return roots?.[0] === old.root && roots?.[1] === head.root;
}
