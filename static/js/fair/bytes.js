// Bytes of fair dealing: digits, hashes, streams of key bytes and permutations (docs/fairness.md).
// Pages over plain http have no WebCrypto: they hash and check signatures in plain JavaScript.

import { hkdf, sha256 } from "./plain_hash.js";
import { isSignedPlain } from "./plain_signature.js";

export const DECK = [..."23456789TJQKA"].flatMap((rank) => [..."cdhs"].map((suit) => rank + suit));
export const DECK_SIZE = DECK.length;
export const [PLAYED, VOID_IN_PLAY] = [1, 2]; // fates of a hand of which cards were dealt
export const UNPLAYED = 4; // fate of a deck that was never called
const STREAM_BYTES = 256;
const WORDS = 65_536;
export const ZEROS = new Uint8Array(32);

/** @type {(text: string) => Uint8Array} */
export const bytesOf = (text) =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** @type {(card: string) => number} */
export function cardNumber(card) {
  const number = DECK.indexOf(card);
  if (number < 0) throw new Error("no card");
  return number;
}

/** @type {(bytes: Uint8Array) => string} */
export const digits = (bytes) =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** @type {(text: string) => Uint8Array} */
export const encoded = (text) => new TextEncoder().encode(text);

/** @type {(...parts: Uint8Array[]) => Uint8Array<ArrayBuffer>} */
export function joined(...parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** @type {(...values: number[]) => Uint8Array} */
export const u8 = (...values) => Uint8Array.from(values);

/** @type {(value: number) => Uint8Array} */
export function u32(value) {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

/** @type {(value: number) => Uint8Array} */
export function u64(value) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}

// The purpose that begins everything hashed for it, in 16 bytes.
/** @type {(purpose: string) => Uint8Array} */
export function tag(purpose) {
  const bytes = new Uint8Array(16);
  bytes.set(encoded(`fair1/${purpose}`));
  return bytes;
}

/** @type {(...parts: Uint8Array[]) => Promise<Uint8Array>} */
export const sha = async (...parts) =>
  crypto.subtle
    ? new Uint8Array(await crypto.subtle.digest("SHA-256", joined(...parts)))
    : sha256(joined(...parts));

// HKDF-SHA-256 without salt.
/** @type {(key: Uint8Array, purpose: string, hand: Uint8Array, bytes?: number) => Promise<Uint8Array>} */
export async function stream(key, purpose, hand, bytes = STREAM_BYTES) {
  if (!crypto.subtle) return hkdf(key, joined(tag(purpose), hand), bytes);
  const base = await crypto.subtle.importKey("raw", joined(key), "HKDF", false, ["deriveBits"]);
  const how = { name: "HKDF", hash: "SHA-256", salt: ZEROS, info: joined(tag(purpose), hand) };
  return new Uint8Array(await crypto.subtle.deriveBits(how, base, bytes * 8));
}

// A permutation of the deck, each equally likely: words that would favour a place are skipped.
/** @type {(bytes: Uint8Array) => number[]} */
export function permuted(bytes) {
  const order = Array.from({ length: DECK_SIZE }, (_, number) => number);
  let at = 0;
  for (let last = DECK_SIZE - 1; last > 0; last -= 1) {
    let word = WORDS;
    while (word >= WORDS - (WORDS % (last + 1))) {
      word = bytes[at] * 256 + bytes[at + 1];
      at += 2;
    }
    const place = word % (last + 1);
    [order[last], order[place]] = [order[place], order[last]];
  }
  return order;
}

// Whether the room signed a message; browsers without Ed25519 of their own compute it here.
/** @type {(key: Uint8Array, message: Uint8Array, signature: Uint8Array) => Promise<boolean>} */
export async function isSigned(key, message, signature) {
  let known;
  try {
    known = await crypto.subtle.importKey("raw", joined(key), "Ed25519", false, ["verify"]);
  } catch {
    return isSignedPlain(key, message, signature);
  }
  return crypto.subtle.verify("Ed25519", known, joined(signature), joined(message));
}
