// Text for screen readers only: the own turn with its price, and the chances of an all-in.

import { el } from "../../shared/dom.js";
import { chips } from "../../shared/format.js";
import { gettext, interpolate } from "../../shared/i18n.js";

const KEPT = 8;

/** @type {(turn: Pick<Wire.TurnSnapshot, "option">, seat: Wire.SeatSnapshot) => string} */
function turnWords({ option }, seat) {
  const stack = interpolate(gettext("your stack is %(amount)s"), { amount: chips(seat.chips) });
  const price = option.call
    ? interpolate(gettext("%(amount)s to call"), { amount: chips(option.call) })
    : gettext("you can check");
  return interpolate(gettext("Your turn: %(price)s, %(stack)s."), { price, stack });
}

/** @type {(bySeat: Record<number, number>, seats: Wire.SeatSnapshot[]) => string} */
export function chancesWords(bySeat, seats) {
  /** @type {(number: string) => string} */
  const nameOf = (number) => seats.find((seat) => seat.seat === Number(number))?.name ?? number;
  return Object.entries(bySeat)
    .map(([seat, part]) =>
      interpolate(gettext("%(name)s %(percent)s percent"), {
        name: nameOf(seat),
        percent: Math.round(part * 100),
      }),
    )
    .join(", ");
}

export class Announcer {
  // The own turn that was told last.
  turn = "";

  constructor() {
    this.node = el("div", { class: "visually-hidden told", role: "log", "aria-live": "polite" });
  }

  // `seat` is the viewer's own, null for a spectator; `state` is the table after an event or as a
  // snapshot has it, which may be the first that this page hears of a turn.
  /** @type {(state: Wire.TableSnapshot, seat: Wire.SeatSnapshot | null) => void} */
  hear({ epoch, hand, turn }, seat) {
    if (!turn || turn.seat !== seat?.seat) return;
    const key = `${epoch}:${hand}:${turn.turn}`;
    if (this.turn !== key) this.say(turnWords(turn, seat));
    this.turn = key;
  }

  /** @param {string} words */
  say(words) {
    if (!words) return;
    this.node.append(el("p", {}, words));
    while (this.node.children.length > KEPT) this.node.firstElementChild?.remove();
  }
}
