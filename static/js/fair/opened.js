// A deck that a table opens on its stream: its secret must make the seal that was told for its hand.

import { el } from "../shared/dom.js";
import { gettext } from "../shared/i18n.js";
import * as b from "./bytes.js";
import { shieldDrawing } from "./mark.js";
import { noted } from "./notes.js";
import { envelopesOf, sealOf } from "./sealing.js";

/** Whether an opened deck is the one that was sealed, also by the notes of this browser.
 * @type {(at: {room: string, table: number, epoch: number, hand: number}, opened: {seal: string, secret: string}) => Promise<boolean>} */
export async function isSealedDeck(at, { seal, secret }) {
  const { room, table, epoch, hand } = at;
  const name = b.joined(b.bytesOf(room), b.u64(table), b.u64(epoch), b.u32(hand));
  const { envelopes } = await envelopesOf(secret, name);
  const told = noted(at)?.seal ?? seal;
  return seal === told && (await sealOf(name, envelopes)) === told;
}

/** A shield that says what was found of an opened deck.
 * @type {(isRight: boolean) => HTMLElement} */
export function openedMark(isRight) {
  const words = isRight
    ? gettext("Checked in this browser: it is the deck that was sealed.")
    : gettext("This is not the deck that was sealed for this hand.");
  const mark = el("span", { class: "fair-mark", role: "status" });
  mark.dataset.colour = isRight ? "green" : "red";
  mark.append(shieldDrawing(), el("span", { class: "fair-words" }, words));
  return mark;
}
