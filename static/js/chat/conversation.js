// One panel over one chat or several: follows their streams, sends, and keeps the reader's choices.

import { gettext } from "../shared/i18n.js";
import { ChatLog } from "../state/chat_log.js";
import { keepChatMode, mutedPlayers, mutePlayer, unmutePlayer } from "./choices.js";
import { ChatPanel } from "./panel.js";

/** @typedef {{stream: string, words: string, writable: boolean}} ChatChoice */

export class Chat {
  /**
   * @param {{connection: import("../shared/socket.js").Line, user: number | null, mode: string,
   *   chats: () => ChatChoice[]}} given chats: those this reader has now, the first one shown first
   */
  constructor({ connection, user, mode, chats }) {
    this.connection = connection;
    this.user = user;
    this.mode = mode;
    this.chats = chats;
    /** @type {Map<string, ChatLog>} */
    this.logs = new Map();
    this.current = "";
    this.muted = mutedPlayers();
    this.panel = new ChatPanel({
      open: (isOpen) => this.turn(isOpen ? "open" : "closed"),
      off: () => this.turn("off"),
      send: (words) => this.#send(words),
      mute: ({ user: number, name }) => this.#mute(() => mutePlayer(number, name)),
      unmute: (number) => this.#mute(() => unmutePlayer(number)),
      report: (message) => this.#report(message),
      choose: (stream) => this.#choose(stream),
    });
    this.panel.layMuted(this.muted);
    this.renew();
  }

  // Follows the chats that the reader has now, and leaves the others.
  renew() {
    const wanted = this.mode === "off" ? [] : this.chats().map(({ stream }) => stream);
    for (const stream of [...this.logs.keys()]) {
      if (wanted.includes(stream)) continue;
      this.logs.delete(stream);
      this.connection.leave(stream);
    }
    for (const stream of wanted) if (!this.logs.has(stream)) this.#follow(stream);
    if (!wanted.includes(this.current)) this.current = wanted[0] ?? "";
    this.draw();
  }

  turn(mode) {
    keepChatMode(mode);
    this.show(mode);
  }

  // A mode that is not kept as the reader's choice.
  show(mode) {
    this.mode = mode;
    this.panel.say("");
    this.renew();
    if (mode === "open") this.panel.toEnd();
  }

  get writable() {
    return this.chats().some(({ stream, writable }) => stream === this.current && writable);
  }

  draw(isNews = false) {
    const log = this.logs.get(this.current);
    if (log && this.#reads(this.current)) log.unread = 0;
    const unread = [...this.logs.values()].reduce((sum, { unread: count }) => sum + count, 0);
    this.panel.layTabs(
      this.chats().filter(({ stream }) => this.logs.has(stream)),
      this.current,
    );
    this.panel.draw({ mode: this.mode, unread, writable: this.writable });
    this.panel.lay(log?.shown(this.muted) ?? [], {
      own: this.user,
      reports: this.user !== null,
      isNews,
    });
  }

  #follow(stream) {
    const log = new ChatLog();
    this.logs.set(stream, log);
    this.connection.follow(stream, {
      snapshot: (state) => {
        log.snapshot(state);
        this.draw();
      },
      events: (events) => {
        const fresh = events.filter((event) => log.heard(event));
        const others = fresh.filter(({ user }) => user !== this.user && !this.muted.has(user));
        if (!this.#reads(stream)) log.unread += others.length;
        this.draw(true);
      },
      refused: () => {
        this.logs.delete(stream);
        this.connection.leave(stream);
        this.draw();
      },
    });
  }

  #reads(stream) {
    return this.mode === "open" && this.current === stream;
  }

  #choose(stream) {
    this.current = stream;
    this.draw();
    this.panel.toEnd();
  }

  #mute(change) {
    change();
    this.muted = mutedPlayers();
    this.panel.layMuted(this.muted);
    this.draw();
  }

  async #send(words) {
    this.panel.say("");
    const message = { type: "chat", stream: this.current, text: words };
    const answer = await this.connection.command(message);
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
}
