// SHA-256 and SHA-512 (FIPS 180-4) without WebCrypto, which pages over plain http do not have.

/** @type {number[]} */
const PRIMES = [];
for (let number = 2; PRIMES.length < 80; number += 1)
  if (PRIMES.every((prime) => number % prime)) PRIMES.push(number);

/** The largest whole number whose power is at most the value.
 * @type {(value: bigint, power: bigint) => bigint} */
function root(value, power) {
  let [low, high] = [0n, 1n << 80n];
  while (low < high) {
    const middle = (low + high + 1n) >> 1n;
    if (middle ** power <= value) low = middle;
    else high = middle - 1n;
  }
  return low;
}

// The first 64 bits behind the point of the roots of primes: the numbers of both hashes.
/** @type {(count: number, power: bigint) => bigint[]} */
const fractions = (count, power) =>
  PRIMES.slice(0, count).map((prime) =>
    BigInt.asUintN(64, root(BigInt(prime) << (64n * power), power)),
  );
/** @type {{starts: bigint[], rounds: bigint[]} | null} */
let numbers = null;

const SHA_256 = {
  bits: 32n,
  rounds: 64,
  big: [2n, 13n, 22n, 6n, 11n, 25n],
  small: [7n, 18n, 3n, 17n, 19n, 10n],
};
const SHA_512 = {
  bits: 64n,
  rounds: 80,
  big: [28n, 34n, 39n, 14n, 18n, 41n],
  small: [1n, 8n, 7n, 19n, 61n, 6n],
};

/** @type {(how: {bits: bigint, rounds: number, big: bigint[], small: bigint[]}, bytes: Uint8Array) => Uint8Array} */
function hashed({ bits, rounds, big, small }, bytes) {
  numbers ??= { starts: fractions(8, 2n), rounds: fractions(80, 3n) };
  const wordBytes = Number(bits) / 8;
  const block = 16 * wordBytes;
  /** @type {(value: bigint) => bigint} */
  const cut = (value) => BigInt.asUintN(Number(bits), value);
  /** @type {(value: bigint, by: bigint) => bigint} */
  const turned = (value, by) => (value >> by) | cut(value << (bits - by));
  const constants = numbers.rounds.map((value) => value >> (64n - bits));
  let state = numbers.starts.map((value) => value >> (64n - bits));
  const padded = new Uint8Array(Math.ceil((bytes.length + 1 + 2 * wordBytes) / block) * block);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  new DataView(padded.buffer).setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  const view = new DataView(padded.buffer);
  /** @type {(at: number) => bigint} */
  const word = (at) => (bits === 32n ? BigInt(view.getUint32(at)) : view.getBigUint64(at));
  for (let at = 0; at < padded.length; at += block) {
    const words = Array.from({ length: 16 }, (_, number) => word(at + number * wordBytes));
    for (let t = 16; t < rounds; t += 1) {
      const [one, two] = [words[t - 15], words[t - 2]];
      const low = turned(one, small[0]) ^ turned(one, small[1]) ^ (one >> small[2]);
      const high = turned(two, small[3]) ^ turned(two, small[4]) ^ (two >> small[5]);
      words.push(cut(words[t - 16] + low + words[t - 7] + high));
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let t = 0; t < rounds; t += 1) {
      const high = turned(e, big[3]) ^ turned(e, big[4]) ^ turned(e, big[5]);
      const first = h + high + ((e & f) ^ (cut(~e) & g)) + constants[t] + words[t];
      const low = turned(a, big[0]) ^ turned(a, big[1]) ^ turned(a, big[2]);
      const second = low + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, cut(d + first), c, b, a, cut(first + second)];
    }
    state = [a, b, c, d, e, f, g, h].map((value, number) => cut(value + state[number]));
  }
  const text = state.map((value) => value.toString(16).padStart(2 * wordBytes, "0")).join("");
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** @type {(bytes: Uint8Array) => Uint8Array} */
export const sha256 = (bytes) => hashed(SHA_256, bytes);

/** @type {(bytes: Uint8Array) => Uint8Array} */
export const sha512 = (bytes) => hashed(SHA_512, bytes);

/** HMAC-SHA-256 (RFC 2104) with a key of at most 64 bytes.
 * @type {(key: Uint8Array, message: Uint8Array) => Uint8Array} */
export function hmac(key, message) {
  /** @type {(pad: number, after: Uint8Array) => Uint8Array} */
  const padded = (pad, after) => {
    const bytes = new Uint8Array(64 + after.length);
    bytes.set(key);
    for (let at = 0; at < 64; at += 1) bytes[at] ^= pad;
    bytes.set(after, 64);
    return sha256(bytes);
  };
  return padded(0x5c, padded(0x36, message));
}

/** HKDF-SHA-256 (RFC 5869) without salt.
 * @type {(key: Uint8Array, info: Uint8Array, length: number) => Uint8Array} */
export function hkdf(key, info, length) {
  const secret = hmac(new Uint8Array(32), key);
  const output = new Uint8Array(length);
  let block = new Uint8Array(0);
  for (let at = 0; at < length; at += 32) {
    const message = new Uint8Array(block.length + info.length + 1);
    message.set(block);
    message.set(info, block.length);
    message[message.length - 1] = at / 32 + 1;
    block = /** @type {Uint8Array<ArrayBuffer>} */ (hmac(secret, message));
    output.set(block.subarray(0, length - at), at);
  }
  return output;
}
