// Shields in the table's log: one for each sealed hand that has ended, and one own hand in twenty is
// checked by itself.

import { shieldMark } from "../fair/mark.js";

const CHECKED_SHARE = 1 / 20;
const LOGGED_AFTER_MS = 65_000; // the log has a hand within a minute

/** @type {(log: import("./felt/log_view.js").LogView, model: any, table: string | undefined) => void} */
export function keepShields(log, model, table) {
  const sealed = new Set();
  model.addEventListener("happened", ({ detail: { event } }) => {
    if (event.type === "cut_called") sealed.add(event.hand);
    if (event.type === "hand_voided") sealed.clear();
    if (event.type !== "hand_ended" || !sealed.delete(event.hand)) return;
    const mark = shieldMark(table ?? "", event.hand);
    log.mark(event.hand, mark);
    if (model.seat && Math.random() < CHECKED_SHARE)
      setTimeout(() => mark.click(), LOGGED_AFTER_MS);
  });
}
