// The chat of a table page: its streams, the messages to send, and the reader's choices.

import { gettext } from "../../shared/i18n.js";
import { ChatLog } from "../../state/chat_log.js";
import { chatMode, keepChatMode, mutedPlayers, mutePlayer, unmutePlayer } from "./choices.js";
import { ChatPanel } from "./panel.js";

// Below this the panel lies over the table, as the log does, and is closed at first.
const NARROW = "(max-width: 1000px), (max-height: 560px)";

class TableChat {
  constructor(room, model, connection) {
    const { table, user, rail } = room.dataset;
    this.room = room;
    this.model = model;
    this.connection = connection;
    this.user = Number(user) || null;
    this.hasRail = rail !== undefined;
    this.players = `tablechat:${table}`;
    this.rail = `railchat:${table}`;
    this.narrow = matchMedia(NARROW);
    /** @type {Map<string, ChatLog>} */
    this.logs = new Map();
    this.current = this.players;
    this.muted = mutedPlayers();
    this.mode = chatMode() ?? "open";
    if (this.mode === "open" && this.narrow.matches) this.mode = "closed";
    this.panel = new ChatPanel({
      open: (isOpen) => this.#turn(isOpen ? "open" : "closed"),
      off: () => this.#turn("off"),
      send: (words) => this.#send(words),
      mute: ({ user, name }) => this.#mute(() => mutePlayer(user, name)),
      unmute: (user) => this.#mute(() => unmutePlayer(user)),
      report: (message) => this.#report(message),
      choose: (stream) => this.#choose(stream),
    });
    room.querySelector(".room").append(this.panel.node);
    room.querySelector(".tools").append(this.panel.toggle);
    this.panel.layMuted(this.muted);
    this.seated = Boolean(model.seat);
    this.asked = false;
    model.addEventListener("change", () => {
      if (this.seated !== Boolean(model.seat)) this.#follow();
      this.#makeWay();
    });
    document.addEventListener("keydown", (event) => this.#key(event));
    this.#follow();
  }

  get writable() {
    if (this.current === this.rail) return this.user !== null && !this.seated;
    return this.seated;
  }

  get unread() {
    return [...this.logs.values()].reduce((sum, log) => sum + log.unread, 0);
  }

  // The chats that this reader has now; what is followed besides is left.
  #follow() {
    this.seated = Boolean(this.model.seat);
    const wanted = this.mode === "off" ? [] : [this.players];
    if (this.mode !== "off" && this.hasRail && !this.seated) wanted.push(this.rail);
    for (const stream of [...this.logs.keys()]) {
      if (wanted.includes(stream)) continue;
      this.logs.delete(stream);
      this.connection.leave(stream);
    }
    for (const stream of wanted) if (!this.logs.has(stream)) this.#hear(stream);
    if (!wanted.includes(this.current)) this.current = this.players;
    this.#draw();
  }

  #hear(stream) {
    const log = new ChatLog();
    this.logs.set(stream, log);
    this.connection.follow(stream, {
      snapshot: (state) => {
        log.snapshot(state);
        this.#draw();
      },
      events: (events) => {
        const fresh = events.filter((event) => log.heard(event));
        const others = fresh.filter(({ user }) => user !== this.user && !this.muted.has(user));
        if (!this.#reads(stream)) log.unread += others.length;
        this.#draw(true);
      },
      refused: () => {
        this.logs.delete(stream);
        this.connection.leave(stream);
        this.#draw();
      },
    });
  }

  #reads(stream) {
    return this.mode === "open" && this.current === stream;
  }

  #draw(isNews = false) {
    const log = this.logs.get(this.current);
    if (log && this.#reads(this.current)) log.unread = 0;
    const words = { [this.players]: gettext("Players"), [this.rail]: gettext("Spectators") };
    const chats = [...this.logs.keys()].map((stream) => ({ stream, words: words[stream] }));
    this.panel.layTabs(chats, this.current);
    this.panel.draw({ mode: this.mode, unread: this.unread, writable: this.writable });
    this.panel.lay(log?.shown(this.muted) ?? [], {
      own: this.user,
      reports: this.user !== null,
      isNews,
    });
  }

  #turn(mode) {
    this.mode = mode;
    keepChatMode(mode);
    this.panel.say("");
    this.#follow();
    if (mode === "open") this.panel.toEnd();
  }

  // Over the table the panel makes way for the own turn, unless somebody is writing.
  #makeWay() {
    const { seat, turn } = this.model;
    const isAsked = Boolean(seat && turn?.seat === seat.seat);
    const began = isAsked && !this.asked;
    this.asked = isAsked;
    if (!began || this.mode !== "open" || !this.narrow.matches || this.panel.isWriting) return;
    this.mode = "closed";
    this.#draw();
  }

  #choose(stream) {
    this.current = stream;
    this.#draw();
    this.panel.toEnd();
  }

  #mute(change) {
    change();
    this.muted = mutedPlayers();
    this.panel.layMuted(this.muted);
    this.#draw();
  }

  async #send(words) {
    this.panel.say("");
    const answer = await this.connection.command({
      type: "chat",
      stream: this.current,
      text: words,
    });
    if (answer.type === "result") return;
    this.panel.restore(words);
    this.panel.say(answer.message ?? gettext("The message may not have arrived."));
  }

  async #report({ message }) {
    const report = { type: "chat_report", stream: this.current, message };
    const answer = await this.connection.command(report);
    const done = gettext("Reported. A moderator will look at it.");
    this.panel.say(answer.type === "result" ? done : (answer.message ?? gettext("Try again.")));
  }

  // A slash goes to the box for a message, from anywhere but another box.
  #key(event) {
    const { key, target } = event;
    if (key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.matches?.("input, textarea, select") || document.querySelector("dialog[open]"))
      return;
    if (this.mode === "off" || !this.writable) return;
    event.preventDefault();
    if (this.mode !== "open") this.#turn("open");
    this.panel.box.focus({ preventScroll: true });
  }
}

// Offers the chat where the page has one, once the table is drawn: it waits for the game.
export function keepChat(room, model, connection) {
  if (room.dataset.chat === undefined) return;
  const begin = () => new TableChat(room, model, connection);
  if (model.state) begin();
  else model.addEventListener("snapshot", begin, { once: true });
}
