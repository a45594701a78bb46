// One panel over one chat or several: follows their streams, sends, and keeps the reader's choices.

import { gettext, interpolate } from "../shared/i18n.js";
import { refusalWords } from "../shared/refusals.js";
import { ChatLog, isSeen } from "../state/chat_log.js";
import {
  emotesOn,
  keepChatMode,
  mutedPlayers,
  mutePlayer,
  switchEmotes,
  unmutePlayer,
  watchChoices,
} from "./choices.js";
import { ChatPanel } from "./panel.js";
import { askSilence } from "./silencing.js";

/** @typedef {{stream: string, words: string, writable: boolean}} ChatChoice */

// Why a command did not take effect. What was never sent did not arrive, for certain.
/** @type {(answer: {code: string, message?: string}, otherwise: string) => string} */
const whyNot = (answer, otherwise) =>
  answer.code === "line_lost" ? refusalWords(answer) : (answer.message ?? otherwise);

export class Chat {
  /**
   * @param {{connection: import("../shared/socket.js").Line, user: number | null, mode: string,
   *   chats: () => ChatChoice[], moderates?: boolean,
   *   heard?: (message: Wire.ChatMessageSent, stream: string) => void}} given
   *   chats: those this reader has now, the first one shown first; heard: told of each new message
   *   that the reader sees
   */
  constructor({ connection, user, mode, chats, moderates = false, heard = () => {} }) {
    this.connection = connection;
    this.user = user;
    this.mode = mode;
    this.chats = chats;
    this.moderates = moderates;
    this.heard = heard;
    /** @type {Map<string, ChatLog>} */
    this.logs = new Map();
    this.current = "";
    this.muted = mutedPlayers();
    this.emotes = emotesOn();
    this.panel = new ChatPanel({
      open: (isOpen) => this.turn(isOpen ? "open" : "closed"),
      off: () => this.turn("off"),
      send: (words) => this.#send(words),
      emote: (key) => this.#emote(key),
      showEmotes: (isOn) => this.#showEmotes(isOn),
      remove: (message) => this.#remove(message),
      silence: (message) => this.#silence(message),
      mute: (message) => this.#mute(message),
      unmute: (number, byKey) => this.#unmute(number, byKey),
      report: (message) => this.#report(message),
      choose: (stream) => this.#choose(stream),
    });
    this.panel.layMuted(this.muted);
    watchChoices(() => this.#chosen());
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

  /** @param {string} mode */
  turn(mode) {
    keepChatMode(mode);
    this.show(mode);
  }

  // A mode that is not kept as the reader's choice.
  /** @param {string} mode */
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
    this.panel.draw({
      mode: this.mode,
      unread,
      writable: this.writable,
      emotes: this.emotes,
      empty: log?.isEmpty ?? false,
    });
    this.panel.lay(log?.shown(this.muted, this.emotes) ?? [], {
      own: this.user,
      reports: this.user !== null,
      moderates: this.moderates,
      isNews,
    });
  }

  /** @param {string} stream */
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
        const seen = fresh.filter((one) => isSeen(one, this.muted, this.emotes));
        const others = seen.filter(({ user }) => user !== this.user);
        if (!this.#reads(stream)) log.unread += others.length;
        this.draw(true);
        for (const message of seen) this.heard(message, stream);
      },
      refused: () => {
        this.logs.delete(stream);
        this.connection.leave(stream);
        this.draw();
      },
    });
  }

  /** @param {string} stream */
  #reads(stream) {
    return this.mode === "open" && this.current === stream;
  }

  /** @param {string} stream */
  #choose(stream) {
    this.current = stream;
    this.draw();
    this.panel.toEnd();
  }

  /** @param {Wire.ChatMessageSent} message */
  #mute({ user, name }) {
    const isNamed = this.panel.isNameFocused;
    mutePlayer(user, name);
    this.#chosen();
    this.panel.say(interpolate(gettext("%(name)s is muted."), { name }));
    if (isNamed) this.panel.focusMuted(user);
  }

  /** @type {(user: number, byKey: boolean) => void} */
  #unmute(user, byKey) {
    const name = this.muted.get(user) ?? "";
    unmutePlayer(user);
    this.#chosen();
    this.panel.say(interpolate(gettext("%(name)s is heard again."), { name }));
    if (byKey) this.panel.focusName(user);
  }

  // The reader's choices are others now, here or in another window.
  #chosen() {
    this.muted = mutedPlayers();
    this.emotes = emotesOn();
    this.panel.layMuted(this.muted);
    this.draw();
  }

  /** @param {boolean} isOn */
  #showEmotes(isOn) {
    switchEmotes(isOn);
    this.#chosen();
  }

  /** @param {string} words */
  async #send(words) {
    if (!(await this.#said({ type: "chat", text: words }))) this.panel.restore(words);
  }

  /** @param {string} emote */
  #emote(emote) {
    return this.#said({ type: "chat_emote", emote });
  }

  // True once the room has it; else the panel says why not.
  /** @param {{type: string, text?: string, emote?: string}} command */
  async #said(command) {
    this.panel.say("");
    const answer = await this.connection.command({ ...command, stream: this.current });
    if (answer.type === "result") return true;
    this.panel.say(whyNot(answer, gettext("The message may not have arrived.")));
    return false;
  }

  /** @param {Wire.ChatMessageSent} message */
  #report({ message }) {
    const done = gettext("Reported. A moderator will look at it.");
    return this.#step({ type: "chat_report", stream: this.current, message }, done);
  }

  /** @param {Wire.ChatMessageSent} message */
  #remove({ message }) {
    const step = { type: "chat_delete", stream: this.current, message };
    return this.#step(step, gettext("The message is deleted."));
  }

  /** @param {Wire.ChatMessageSent} message */
  #silence({ message, name }) {
    const step = { type: "chat_silence", stream: this.current, message };
    const done = interpolate(gettext("%(name)s is silenced."), { name });
    askSilence(name, (minutes, reason) => this.#step({ ...step, minutes, reason }, done));
  }

  /** @type {(command: Record<string, unknown>, done: string) => Promise<void>} */
  async #step(command, done) {
    // The same words again would be read out to nobody.
    this.panel.say("");
    const answer = await this.connection.command(command);
    this.panel.say(answer.type === "result" ? done : whyNot(answer, gettext("Try again.")));
  }
}
