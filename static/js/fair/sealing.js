// Envelopes and seal that a secret makes, for decks whose secret is told.

import * as b from "./bytes.js";

const SALT_BYTES = 16;

/** The order of the cards in a deck, and its envelopes in hexadecimal digits.
 * @type {(secret: string, hand: Uint8Array) => Promise<{order: number[], envelopes: string[]}>} */
export async function envelopesOf(secret, hand) {
  const order = b.permuted(await b.stream(b.bytesOf(secret), "order", hand));
  const salts = await b.stream(b.bytesOf(secret), "salts", hand, SALT_BYTES * b.DECK_SIZE);
  const made = order.map((card, place) => {
    const salt = salts.slice(SALT_BYTES * place, SALT_BYTES * (place + 1));
    return b.sha(b.tag("card"), b.u8(place, card), salt);
  });
  return { order, envelopes: (await Promise.all(made)).map(b.digits) };
}

/** The seal over envelopes, in hexadecimal digits.
 * @type {(hand: Uint8Array, envelopes: string[]) => Promise<string>} */
export async function sealOf(hand, envelopes) {
  const bytes = envelopes.map(b.bytesOf);
  return b.digits(await b.sha(b.tag("seal"), hand, b.u8(b.DECK_SIZE), ...bytes));
}
