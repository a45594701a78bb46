// The panel of the chat: log, box for a message, and the button among the tools that opens it.

import { attribute, el, elements, keyed, show, text } from "../shared/dom.js";
import { gettext, interpolate, ngettext, region } from "../shared/i18n.js";
import { EmoteButtons, emoteWords } from "./emotes.js";

const TEXT_MAX = 200;
const END_PX = 40;
const SILENT_MS = 500;

/** @typedef {Wire.ChatMessageSent} Message */

/**
 * What the reader does in the panel.
 * @typedef {{
 *   open(isOpen: boolean): void,
 *   off(): void,
 *   send(words: string): void,
 *   emote(key: string): void,
 *   showEmotes(isOn: boolean): void,
 *   mute(message: Message): void,
 *   unmute(user: number, byKey: boolean): void,
 *   report(message: Message): void,
 *   remove(message: Message): void,
 *   silence(message: Message): void,
 *   choose(stream: string): void,
 * }} ChatActs
 */

export class ChatPanel {
  /** @param {ChatActs} acts */
  constructor(acts) {
    this.acts = acts;
    /** The chats that are laid, as JSON. */
    this.laid = "";
    this.toggle = el("button", {
      type: "button",
      class: "plain chat-toggle",
      "aria-controls": "chat",
      "aria-expanded": "false",
      onclick: () => acts.open(!this.isOpen),
    });
    this.tabs = el("div", { class: "chat-tabs", role: "group", "aria-label": gettext("Chat") });
    this.off = el(
      "button",
      { type: "button", class: "plain", onclick: () => acts.off() },
      gettext("Turn off"),
    );
    this.lines = el("ol", {
      class: "chat-lines",
      "aria-live": "polite",
      "aria-relevant": "additions",
      "aria-label": gettext("Chat"),
      tabindex: "0",
    });
    this.empty = el("p", { class: "chat-empty", hidden: true }, gettext("Nobody has written yet."));
    this.muted = el("p", { class: "chat-muted", hidden: true });
    this.status = el("p", { class: "chat-status", role: "status" });
    this.box = el("input", {
      type: "text",
      class: "chat-box",
      maxlength: TEXT_MAX,
      autocomplete: "off",
      enterkeyhint: "send",
      "aria-label": gettext("Message"),
      placeholder: gettext("Message"),
      onkeydown: (event) => this.#key(event),
    });
    this.emotes = new EmoteButtons({ send: acts.emote, turn: acts.showEmotes });
    this.form = el(
      "form",
      { class: "chat-form", onsubmit: (event) => this.#submit(event) },
      this.box,
      this.emotes.toggle,
      el("button", { type: "submit", class: "button" }, gettext("Send")),
    );
    this.node = el(
      "section",
      { id: "chat", class: "chat", "aria-label": gettext("Chat") },
      el("div", { class: "chat-head" }, this.tabs, this.off),
      this.empty,
      this.lines,
      this.muted,
      this.status,
      this.emotes.node,
      this.form,
    );
  }

  get isOpen() {
    return this.node.hasAttribute("data-open");
  }

  get isWriting() {
    return document.activeElement === this.box || this.box.value !== "";
  }

  /** @param {{mode: string, unread: number, writable: boolean, emotes: boolean, empty: boolean}} shown */
  draw({ mode, unread, writable, emotes, empty }) {
    attribute(this.node, "data-open", mode === "open");
    attribute(this.toggle, "aria-expanded", String(mode === "open"));
    attribute(this.toggle, "data-unread", unread > 0);
    text(this.toggle, toggleWords(mode, unread));
    const counted = ngettext("%(count)s new message", "%(count)s new messages", unread);
    const named = `${gettext("Chat")}, ${interpolate(counted, { count: unread })}`;
    attribute(this.toggle, "aria-label", unread ? named : null);
    show(this.empty, empty);
    show(this.form, writable);
    this.emotes.draw(emotes);
    if (!writable || mode !== "open") this.emotes.close();
  }

  // Messages in order; `isNews` ones are read out, a snapshot is not.
  /**
   * @param {Message[]} messages
   * @param {{own: number | null, isNews: boolean, reports: boolean, moderates: boolean}} reader
   */
  lay(messages, { own, isNews, reports, moderates }) {
    const { lines } = this;
    const atEnd = lines.scrollHeight - lines.scrollTop - lines.clientHeight < END_PX;
    if (!isNews) this.#hush();
    const byKey = new Map(messages.map((message) => [String(message.message), message]));
    const hadFocus = lines.contains(document.activeElement);
    keyed(lines, [...byKey.keys()], (key) =>
      this.#line(/** @type {Message} */ (byKey.get(key)), own, { reports, moderates }),
    );
    // With a line that was deleted its focus would fall on the table, where Enter is a raise.
    if (hadFocus && !lines.contains(document.activeElement)) lines.focus();
    if (atEnd) lines.scrollTop = lines.scrollHeight;
  }

  toEnd() {
    this.lines.scrollTop = this.lines.scrollHeight;
  }

  // Chats to choose from: nothing to choose with one of them.
  /** @type {(chats: {stream: string, words: string}[], current: string) => void} */
  layTabs(chats, current) {
    const laid = JSON.stringify([chats, current]);
    if (laid === this.laid) return;
    this.laid = laid;
    const many = chats.length > 1;
    const isFocused = this.tabs.contains(document.activeElement);
    this.tabs.replaceChildren(
      ...chats.map(({ stream, words }) =>
        many
          ? el(
              "button",
              {
                type: "button",
                class: "plain",
                "aria-pressed": String(stream === current),
                onclick: () => this.acts.choose(stream),
              },
              words,
            )
          : el("h2", {}, gettext("Chat")),
      ),
    );
    if (isFocused) elements(this.tabs, "[aria-pressed=true]")[0]?.focus();
  }

  /** @param {Map<number, string>} muted */
  layMuted(muted) {
    show(this.muted, muted.size > 0);
    const buttons = [...muted].map(([user, name]) =>
      el(
        "button",
        {
          type: "button",
          class: "plain",
          "data-user": user,
          "aria-label": interpolate(gettext("Hear %(name)s again"), { name }),
          onclick: ({ detail }) => this.acts.unmute(user, detail === 0),
        },
        `${name} ✕`,
      ),
    );
    this.muted.replaceChildren(`${gettext("Muted:")} `, ...buttons);
  }

  get isNameFocused() {
    const focused = document.activeElement;
    return this.lines.contains(focused) && Boolean(focused?.matches(".chat-name"));
  }

  /** @param {number} user */
  focusMuted(user) {
    elements(this.muted, `[data-user="${user}"]`)[0]?.focus();
  }

  /** @param {number} user */
  focusName(user) {
    const named = elements(this.lines, `[data-user="${user}"] .chat-name`);
    ([...named].at(-1) ?? this.lines).focus();
  }

  /** @param {string} words */
  say(words) {
    text(this.status, words);
  }

  // A refused message comes back into the box, unless another one is being written.
  /** @param {string} words */
  restore(words) {
    if (!this.box.value) this.box.value = words;
  }

  /** @type {(message: Message, own: number | null, may: {reports: boolean, moderates: boolean}) => HTMLElement} */
  #line(message, own, { reports, moderates }) {
    const body = bodyOf(message);
    const time = new Date(message.sent_ms).toLocaleTimeString(region);
    if (message.user === own)
      return el("li", { class: "own", title: time }, el("b", {}, message.name), " ", body);
    const steps = el("span", { class: "chat-steps", hidden: true });
    const who = el(
      "button",
      {
        type: "button",
        class: "chat-name",
        "aria-expanded": "false",
        onclick: () => {
          show(steps, steps.hidden !== false);
          attribute(who, "aria-expanded", String(!steps.hidden));
        },
      },
      message.name,
    );
    /** @type {(words: string, act: (message: Message) => void) => HTMLElement} */
    const step = (words, act) =>
      el(
        "button",
        {
          type: "button",
          class: "plain",
          onclick: ({ detail }) => {
            // By key the focus stays on the name: lost with the button, Enter would be a raise.
            if (detail === 0) who.focus();
            show(steps, false);
            attribute(who, "aria-expanded", "false");
            act(message);
          },
        },
        words,
      );
    steps.append(step(gettext("Mute"), this.acts.mute));
    if (reports) steps.append(step(gettext("Report"), this.acts.report));
    if (moderates) {
      steps.append(step(gettext("Delete"), this.acts.remove));
      steps.append(step(gettext("Silence"), this.acts.silence));
    }
    return el("li", { title: time, "data-user": message.user }, who, " ", body, steps);
  }

  #hush() {
    attribute(this.lines, "aria-live", "off");
    clearTimeout(this.silence);
    this.silence = setTimeout(() => attribute(this.lines, "aria-live", "polite"), SILENT_MS);
  }

  // What is typed is no key of the game, and Enter no bet.
  /** @param {KeyboardEvent} event */
  #key(event) {
    event.stopPropagation();
    if (event.key === "Escape") this.box.blur();
  }

  // The keys are the game's again once a message is sent.
  /** @param {SubmitEvent} event */
  #submit(event) {
    event.preventDefault();
    const words = this.box.value.trim();
    this.box.blur();
    if (!words) return;
    this.box.value = "";
    this.acts.send(words);
  }
}

// An emote has its name beside it, which is also what is read out.
/** @type {(message: Message) => HTMLElement} */
function bodyOf(message) {
  const words = emoteWords(message);
  if (!words) return el("bdi", { class: "chat-text" }, message.text);
  const symbol = el("span", { "aria-hidden": "true" }, message.text);
  return el("span", { class: "chat-text" }, symbol, " ", el("i", {}, words));
}

/** @type {(mode: string, unread: number) => string} */
function toggleWords(mode, unread) {
  if (mode === "off") return gettext("Chat off");
  return unread ? `${gettext("Chat")} (${unread > 99 ? "99+" : unread})` : gettext("Chat");
}
