// Events at the speed of people: a run-out street by street, never later than the next turn.

const PAUSES_MS = { street_dealt: 900, pot_awarded: 700, cards_shown: 500 };
const URGENT = new Set(["turn_began", "hand_began", "hand_voided", "table_closed", "seat_taken"]);

// How long to wait before showing `event`, `revealed` once all live hands lie face up.
export function pause(event, { revealed, hidden }) {
  if (hidden) return 0;
  if (event.type === "street_dealt" && !revealed) return 250;
  return PAUSES_MS[event.type] ?? 0;
}

export class Pace {
  constructor(apply) {
    this.apply = apply;
    this.queue = [];
    this.timer = null;
    this.revealed = false;
    this.waited = false;
  }

  push(events) {
    this.queue.push(...events);
    const urgent = this.queue.findLastIndex((event) => URGENT.has(event.type));
    if (urgent >= 0) this.#flush(urgent + 1);
    if (this.timer === null) this.#next();
  }

  clear() {
    clearTimeout(this.timer);
    this.timer = null;
    this.queue = [];
    this.revealed = false;
    this.waited = false;
  }

  #flush(count) {
    clearTimeout(this.timer);
    this.timer = null;
    this.waited = false;
    for (const event of this.queue.splice(0, count)) this.#apply(event);
  }

  #apply(event) {
    if (event.type === "hands_revealed") this.revealed = true;
    if (event.type === "hand_began") this.revealed = false;
    this.apply(event);
  }

  #next() {
    this.timer = null;
    while (this.queue.length) {
      const wait = this.waited
        ? 0
        : pause(this.queue[0], { revealed: this.revealed, hidden: document.hidden });
      this.waited = false;
      if (wait > 0) {
        this.waited = true;
        this.timer = setTimeout(() => this.#next(), wait);
        return;
      }
      this.#apply(this.queue.shift());
    }
  }
}
