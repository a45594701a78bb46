// Shields in the table's log: one for each sealed hand that has ended, and one own hand in twenty is
// checked by itself.

import { shieldMark } from "../fair/mark.js";
import { isSealedDeck, openedMark } from "../fair/opened.js";
import { attribute } from "../shared/dom.js";

const CHECKED_SHARE = 1 / 20;
const LOGGED_AFTER_MS = 65_000; // the log has a hand within a minute

/**
 * @param {import("./felt/log_view.js").LogView} log
 * @param {import("../state/table_model.js").TableModel} model
 * @param {string | undefined} table
 * @param {import("../shared/socket.js").Line} connection
 */
export function keepShields(log, model, table, connection) {
  /** @type {Set<number>} */
  const sealed = new Set();
  /** @type {Map<number, HTMLElement>} */
  const marks = new Map();
  /** @type {Map<string, HTMLElement | null>} */
  const checked = new Map();
  // Decks are opened by events, or were before the snapshot.
  const checkOpened = async () => {
    const room = connection.welcome?.room;
    if (!room) return;
    for (const deck of model.state?.opened ?? []) {
      if (checked.has(deck.seal)) continue;
      checked.set(deck.seal, null);
      const at = { room, table: Number(table), epoch: deck.epoch, hand: deck.hand };
      const mark = openedMark(await isSealedDeck(at, deck));
      checked.set(deck.seal, mark);
      log.markOpened(deck.seal, mark);
    }
  };
  // A snapshot writes the lines of its hand anew; an older line that is gone has no shield.
  model.addEventListener("snapshot", () => {
    for (const [hand, mark] of marks) {
      if (!mark.isConnected) log.mark(hand, mark);
      if (!mark.isConnected) marks.delete(hand);
    }
    for (const [seal, mark] of checked) if (mark && !mark.isConnected) log.markOpened(seal, mark);
  });
  model.addEventListener("change", checkOpened);
  model.addEventListener("happened", ({ detail: { event } }) => {
    if (event.type === "cut_called") sealed.add(event.hand);
    if (event.type === "hand_voided") {
      sealed.clear();
      // A hand that is dealt anew under this number is another one.
      marks.delete(event.hand);
    }
    if (event.type !== "hand_ended" || !sealed.delete(event.hand)) return;
    const mark = shieldMark(table ?? "", event.hand);
    // The log is read out: a shield after every hand is no news, what it says when pressed is.
    attribute(mark, "aria-live", "off");
    marks.set(event.hand, mark);
    log.mark(event.hand, mark);
    if (model.seat && Math.random() < CHECKED_SHARE)
      setTimeout(() => mark.click(), LOGGED_AFTER_MS);
  });
}
