// The sound of a turn, made by one of a player's windows, preferably the one that shows the table.

import { audible, sound } from "../shared/sounds.js";
import { local } from "../shared/storage.js";

const HEARD = "room.turn_heard";
const TABLE_FIRST_MS = 400;

/**
 * The window that shows the table has made the sound itself.
 * @type {(key: string) => unknown}
 */
export const noteTurnHeard = (key) => audible() && local.set(HEARD, key);

/**
 * Sound for a turn elsewhere, unless another window did.
 * @type {(key: string) => void}
 */
export function soundTurnOnce(key) {
  setTimeout(() => {
    if (!audible() || local.get(HEARD) === key) return;
    local.set(HEARD, key);
    sound("turn");
  }, TABLE_FIRST_MS);
}
