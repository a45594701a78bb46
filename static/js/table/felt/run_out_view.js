// The places of the cards to come in a run-out, the next ones breathing until they are dealt.

import { attribute, el, keyed, show } from "../../shared/dom.js";

const BOARD_CARDS = 5;
/** @type {Record<number, number>} */
const NEXT = { 0: 3, 3: 1, 4: 1 };

export class RunOutView {
  constructor() {
    this.node = el("div", { class: "to-come", "aria-hidden": "true" });
  }

  /** @type {(state: Wire.TableSnapshot, moment: Felt.Picture["moment"]) => void} */
  update({ variant, board, run_out: runOut, log = [] }, moment) {
    const goesOn = Boolean(runOut) || (moment.revealed && !moment.ended && log.length > 0);
    const left = goesOn && !variant?.startsWith("stud") ? BOARD_CARDS - board.length : 0;
    show(this.node, left > 0);
    keyed(
      this.node,
      Array.from({ length: left }, (_, place) => board.length + place),
      () => el("span", { class: "slot" }),
    );
    [...this.node.children].forEach((slot, place) =>
      attribute(slot, "data-next", place < (NEXT[board.length] ?? 0)),
    );
  }
}
