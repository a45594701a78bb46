// The chat of a table page: for players theirs, for spectators also one of their own.

import { chatMode } from "../chat/choices.js";
import { Chat } from "../chat/conversation.js";
import { emoteWords } from "../chat/emotes.js";
import { gettext } from "../shared/i18n.js";
import { EmoteBubbles } from "./emote_bubbles.js";
import { keepWay } from "./make_way.js";

// Below this the panel lies over the table, as the log does, and is closed at first.
const NARROW = "(max-width: 1000px), (max-height: 560px)";

/** @typedef {import("../shared/socket.js").Line} Line */
/** @typedef {import("../state/table_model.js").TableModel} TableModel */
/** @typedef {import("./poker_table.js").PokerTable} PokerTable */

class TableChat {
  /**
   * @param {PokerTable} room
   * @param {TableModel} model
   * @param {Line} connection
   */
  constructor(room, model, connection) {
    const { table, user, rail } = room.dataset;
    this.model = model;
    this.room = room;
    this.bubbles = new EmoteBubbles(room);
    this.narrow = matchMedia(NARROW);
    this.seated = Boolean(model.seat);
    const players = `tablechat:${table}`;
    const spectators = { stream: `railchat:${table}`, words: gettext("Spectators") };
    const mode = chatMode() ?? "open";
    this.chat = new Chat({
      connection,
      user: Number(user) || null,
      moderates: room.dataset.moderates !== undefined,
      heard: (message, stream) => stream === players && this.#heard(message),
      mode: mode === "open" && this.narrow.matches ? "closed" : mode,
      chats: () => [
        { stream: players, words: gettext("Players"), writable: this.seated },
        ...(rail !== undefined && !this.seated ? [{ ...spectators, writable: Boolean(user) }] : []),
      ],
    });
    room.querySelector(".room")?.append(this.chat.panel.node);
    room.querySelector(".tools")?.append(this.chat.panel.toggle);
    model.addEventListener("change", () => this.#changed());
    document.addEventListener("keydown", (event) => this.#key(event));
    this.narrow.addEventListener("change", () => this.#makeWay());
    keepWay(room, model, () => this.#makeWay());
    this.#changed();
  }

  // An emote shows at the seat; it is read out here while no log does.
  /** @param {Wire.ChatMessageSent} message */
  #heard(message) {
    const words = emoteWords(message);
    if (!words) return;
    this.bubbles.show(message);
    if (this.chat.mode !== "open") this.room.told.say(`${message.name}: ${words}`);
  }

  #changed() {
    const { seat } = this.model;
    if (this.seated === Boolean(seat)) return;
    this.seated = Boolean(seat);
    this.chat.renew();
  }

  // Over the table the panel makes way for what matters more, unless somebody is writing.
  #makeWay() {
    const { mode, panel } = this.chat;
    if (mode === "open" && this.narrow.matches && !panel.isWriting) this.chat.show("closed");
  }

  // A slash goes to the box for a message, E to the emotes, from anywhere but another box.
  /** @param {KeyboardEvent} event */
  #key(event) {
    const { key } = event;
    const target = /** @type {Element} */ (event.target);
    if (
      !(key === "/" || key.toLowerCase() === "e") ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey
    )
      return;
    if (target.matches?.("input, textarea, select") || document.querySelector("dialog[open]"))
      return;
    if (this.chat.mode === "off" || !this.chat.writable) return;
    event.preventDefault();
    if (this.chat.mode !== "open") this.chat.turn("open");
    if (key === "/") this.chat.panel.box.focus({ preventScroll: true });
    else this.chat.panel.emotes.open();
  }
}

// Offers the chat where the page has one, once the table is drawn: it waits for the game.
/** @type {(room: PokerTable, model: TableModel, connection: Line) => void} */
export function keepChat(room, model, connection) {
  if (room.dataset.chat === undefined) return;
  const begin = () => new TableChat(room, model, connection);
  if (model.state) begin();
  else model.addEventListener("snapshot", begin, { once: true });
}
