// One chat as a page holds it: the messages in order, those of muted players left out, unread ones.

const KEPT_MAX = 200;

// Whether a reader with these muted players, and emotes or none, sees a message.
/** @type {(message: Wire.ChatMessageSent, muted: {has(user: number): boolean}, emotes: boolean) => boolean} */
export const isSeen = ({ user, emote }, muted, emotes) => !muted.has(user) && (emotes || !emote);

export class ChatLog {
  constructor() {
    /** @type {Map<number, Wire.ChatMessageSent>} */
    this.messages = new Map();
    this.unread = 0;
    this.isRead = false;
  }

  /** @param {Wire.ChatSnapshot} state */
  snapshot(state) {
    this.isRead = true;
    this.messages = new Map(state.messages.map((message) => [message.message, message]));
  }

  // Whether nobody has written, as far as the log was read.
  get isEmpty() {
    return this.isRead && this.messages.size === 0;
  }

  // Take an event in; true for a message that is new here.
  /** @param {any} event */
  heard(event) {
    if (event.type === "chat_deleted") this.messages.delete(event.message);
    if (event.type !== "chat_message" || this.messages.has(event.message)) return false;
    this.messages.set(event.message, event);
    for (const oldest of this.messages.keys()) {
      if (this.messages.size <= KEPT_MAX) break;
      this.messages.delete(oldest);
    }
    return true;
  }

  // The messages that the reader sees, oldest first.
  /** @type {(muted: {has(user: number): boolean}, emotes: boolean) => Wire.ChatMessageSent[]} */
  shown(muted, emotes) {
    return [...this.messages.values()].filter((message) => isSeen(message, muted, emotes));
  }
}
