// Sounds and title changes for events at the table.

import { sound } from "../../shared/sounds.js";

/** @type {Partial<Record<Wire.TableEvent["type"], string | null>>} */
const SOUNDS = {
  street_dealt: "card",
  hole_cards_dealt: null,
  called: "chips",
  bet: "chips",
  raised: "chips",
  checked: "check",
  hands_revealed: "card",
};

/** @type {(event: Wire.TableEvent, seat: number | null) => void} */
export function cue(event, seat) {
  if (event.type === "turn_began" && event.seat === seat) {
    return sound("turn");
  }
  if (event.type === "time_bank_started" && event.seat === seat) return sound("hurry");
  if (event.type === "pot_awarded" && event.winners.some((share) => share.seat === seat))
    return sound("win");
  if (event.type === "hole_cards_dealt" && event.seat === seat) return sound("card");
  if (SOUNDS[event.type]) sound(SOUNDS[event.type]);
}
