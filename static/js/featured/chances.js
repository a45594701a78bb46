// Chances as a cards-up stream tells them: equities by seat, and the price of the next action.

/**
 * `bySeat` null while nothing is told; `need` is a part of the pot.
 * @typedef {Readonly<{bySeat: Record<number, number> | null, seat: number | null, pot: number, call: number,
 *   need: number}>} ToldChances
 */

/** @type {ToldChances} */
export const NO_CHANCES = Object.freeze({ bySeat: null, seat: null, pot: 0, call: 0, need: 0 });

// The decided hand has no chances any more.
const OVER = new Set(["pot_awarded", "hand_ended"]);
const BASIS_POINTS = 10_000;

/** @type {(now: ToldChances, event: {type: string}) => ToldChances} */
export function heard(now, event) {
  if (OVER.has(event.type)) return NO_CHANCES;
  if (event.type !== "hand_chances") return now;
  const told = /** @type {Wire.HandChances} */ (/** @type {unknown} */ (event));
  const shares = told.equities.map(({ seat, share_bp }) => [seat, share_bp / BASIS_POINTS]);
  return {
    bySeat: shares.length ? Object.fromEntries(shares) : null,
    seat: told.seat ?? null,
    pot: told.pot ?? 0,
    call: told.call ?? 0,
    need: (told.need_bp ?? 0) / BASIS_POINTS,
  };
}

// What the seats of the table element ask for: parts of the pot by seat, counted by the room.
/** @type {(chances: ToldChances) => {bySeat: Record<number, number>, margin: number} | null} */
export const partsOf = ({ bySeat }) => (bySeat ? { bySeat, margin: 0 } : null);
