// Calls of a tournament clock: a new level, a break, its end, the last minute of either.

export const LAST_MINUTE_MS = 60_000;

/** @typedef {"level" | "break" | "play" | "last_minute"} Call */
/** @typedef {{level: string, pausing: boolean, endsMs: number}} ClockState */

// The calls between two looks at the clock. What was true when the page came is not called.
export class ClockCalls {
  /** @type {ClockState | null} */
  #before = null;
  #leftMs = 0;

  /** @type {(state: ClockState, nowMs: number) => Call | null} */
  look(state, nowMs) {
    const before = this.#before;
    const leftMs = state.endsMs ? state.endsMs - nowMs : 0;
    const leftBeforeMs = this.#leftMs;
    this.#before = state;
    this.#leftMs = leftMs;
    if (!before) return null;
    if (state.pausing !== before.pausing) return state.pausing ? "break" : "play";
    if (state.level !== before.level) return "level";
    const crossed = leftBeforeMs > LAST_MINUTE_MS && leftMs <= LAST_MINUTE_MS && leftMs > 0;
    return crossed ? "last_minute" : null;
  }
}
