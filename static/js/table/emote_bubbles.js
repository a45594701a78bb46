// An emote over the seat of its player, for a moment.

import { emoteWords } from "../chat/emotes.js";
import { el } from "../shared/dom.js";

const SHOWN_MS = 4_000;

export class EmoteBubbles {
  /** @param {import("./poker_table.js").PokerTable} room */
  constructor(room) {
    this.room = room;
    /** @type {Map<number, {node: HTMLElement, timer: number}>} */
    this.bubbles = new Map();
  }

  /** @param {Wire.ChatMessageSent} message */
  show(message) {
    const { user, text } = message;
    const seat = this.room.model.state?.seats.find((one) => one.user === user);
    const view = seat && this.room.views.get(seat.seat);
    if (!view) return;
    this.#end(user);
    const node = el(
      "span",
      { class: "emote", "aria-hidden": "true" },
      `${text} ${emoteWords(message)}`,
    );
    view.node.append(node);
    this.bubbles.set(user, { node, timer: setTimeout(() => this.#end(user), SHOWN_MS) });
  }

  /** @param {number} user */
  #end(user) {
    const bubble = this.bubbles.get(user);
    if (!bubble) return;
    clearTimeout(bubble.timer);
    bubble.node.remove();
    this.bubbles.delete(user);
  }
}
