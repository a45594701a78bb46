// Ed25519 signatures (RFC 8032) checked without WebCrypto. Nothing here is secret, so time is no matter.

import { sha512 } from "./plain_hash.js";

const PRIME = 2n ** 255n - 19n;
const GROUP = 2n ** 252n + 27742317777372353535851937790883648493n;
/** @type {(value: bigint) => bigint} */
const mod = (value) => ((value % PRIME) + PRIME) % PRIME;

/** @type {(base: bigint, exponent: bigint) => bigint} */
function power(base, exponent) {
  let result = 1n;
  for (let bit = exponent; bit; bit >>= 1n) {
    if (bit & 1n) result = (result * base) % PRIME;
    base = (base * base) % PRIME;
  }
  return result;
}

const CURVE = mod(-121665n * power(121666n, PRIME - 2n));
const HALF = power(2n, (PRIME - 1n) / 4n);

/** A point as X, Y, Z and T with x = X/Z, y = Y/Z, xy = T/Z.
 * @typedef {[bigint, bigint, bigint, bigint]} Point */

/** @type {(p: Point, q: Point) => Point} */
function add(p, q) {
  const a = mod((p[1] - p[0]) * (q[1] - q[0]));
  const b = mod((p[1] + p[0]) * (q[1] + q[0]));
  const c = mod(2n * CURVE * p[3] * q[3]);
  const d = mod(2n * p[2] * q[2]);
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

/** @type {(scalar: bigint, point: Point) => Point} */
function times(scalar, point) {
  /** @type {Point} */
  let result = [0n, 1n, 1n, 0n];
  for (let bit = scalar; bit; bit >>= 1n) {
    if (bit & 1n) result = add(result, point);
    point = add(point, point);
  }
  return result;
}

/** @type {(bytes: Uint8Array) => bigint} */
const little = (bytes) => bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);

/** The point of the curve with this encoding, or null.
 * @type {(bytes: Uint8Array) => Point | null} */
function pointOf(bytes) {
  const value = little(bytes);
  const [y, sign] = [BigInt.asUintN(255, value), value >> 255n];
  if (y >= PRIME) return null;
  const square = mod((y * y - 1n) * power(mod(CURVE * y * y + 1n), PRIME - 2n));
  let x = power(square, (PRIME + 3n) / 8n);
  if (mod(x * x) !== square) x = mod(x * HALF);
  if (mod(x * x) !== square || (!x && sign)) return null;
  if ((x & 1n) !== sign) x = PRIME - x;
  return [x, y, 1n, mod(x * y)];
}

const BASE_Y = mod(4n * power(5n, PRIME - 2n));

/** @type {(value: bigint) => Uint8Array} */
const encoded = (value) =>
  Uint8Array.from({ length: 32 }, (_, at) => Number((value >> BigInt(8 * at)) & 255n));

/** Whether S times the base point equals R plus k times the key.
 * @type {(key: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean} */
export function isSignedPlain(key, message, signature) {
  if (key.length !== 32 || signature.length !== 64) return false;
  const nonce = signature.subarray(0, 32);
  const [base, open, told] = [pointOf(encoded(BASE_Y)), pointOf(key), pointOf(nonce)];
  const scalar = little(signature.subarray(32));
  if (!base || !open || !told || scalar >= GROUP) return false;
  const all = new Uint8Array(64 + message.length);
  all.set(nonce);
  all.set(key, 32);
  all.set(message, 64);
  const one = times(scalar, base);
  const two = add(told, times(little(sha512(all)) % GROUP, open));
  return (
    mod(one[0] * two[2] - two[0] * one[2]) === 0n && mod(one[1] * two[2] - two[1] * one[2]) === 0n
  );
}
