// The chat of a table page: for players theirs, for spectators also one of their own.

import { chatMode } from "../chat/choices.js";
import { Chat } from "../chat/conversation.js";
import { gettext } from "../shared/i18n.js";

// Below this the panel lies over the table, as the log does, and is closed at first.
const NARROW = "(max-width: 1000px), (max-height: 560px)";

class TableChat {
  constructor(room, model, connection) {
    const { table, user, rail } = room.dataset;
    this.model = model;
    this.narrow = matchMedia(NARROW);
    this.seated = Boolean(model.seat);
    this.asked = false;
    const players = `tablechat:${table}`;
    const spectators = { stream: `railchat:${table}`, words: gettext("Spectators") };
    const mode = chatMode() ?? "open";
    this.chat = new Chat({
      connection,
      user: Number(user) || null,
      mode: mode === "open" && this.narrow.matches ? "closed" : mode,
      chats: () => [
        { stream: players, words: gettext("Players"), writable: this.seated },
        ...(rail !== undefined && !this.seated ? [{ ...spectators, writable: Boolean(user) }] : []),
      ],
    });
    room.querySelector(".room").append(this.chat.panel.node);
    room.querySelector(".tools").append(this.chat.panel.toggle);
    model.addEventListener("change", () => this.#changed());
    document.addEventListener("keydown", (event) => this.#key(event));
    this.narrow.addEventListener("change", () => this.#makeWay());
    // What the room says over the table, and asks there, is seen.
    const heard = new MutationObserver(() => room.notice.hidden || this.#makeWay());
    heard.observe(room.notice, { attributes: true, attributeFilter: ["hidden"] });
    this.#changed();
  }

  #changed() {
    const { seat, turn } = this.model;
    if (this.seated !== Boolean(seat)) {
      this.seated = Boolean(seat);
      this.chat.renew();
    }
    const isAsked = Boolean(seat && turn?.seat === seat.seat);
    if (isAsked && !this.asked) this.#makeWay();
    this.asked = isAsked;
  }

  // Over the table the panel makes way for what matters more, unless somebody is writing.
  #makeWay() {
    const { mode, panel } = this.chat;
    if (mode === "open" && this.narrow.matches && !panel.isWriting) this.chat.show("closed");
  }

  // A slash goes to the box for a message, from anywhere but another box.
  #key(event) {
    const { key, target } = event;
    if (key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.matches?.("input, textarea, select") || document.querySelector("dialog[open]"))
      return;
    if (this.chat.mode === "off" || !this.chat.writable) return;
    event.preventDefault();
    if (this.chat.mode !== "open") this.chat.turn("open");
    this.chat.panel.box.focus({ preventScroll: true });
  }
}

// Offers the chat where the page has one, once the table is drawn: it waits for the game.
export function keepChat(room, model, connection) {
  if (room.dataset.chat === undefined) return;
  const begin = () => new TableChat(room, model, connection);
  if (model.state) begin();
  else model.addEventListener("snapshot", begin, { once: true });
}
