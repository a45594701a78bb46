// The chat of a page other than a table: a part of the page that names its stream.

import { line } from "../shared/socket.js";
import { chatMode } from "./choices.js";
import { Chat } from "./conversation.js";

const part = /** @type {HTMLElement} */ (document.getElementById("chat-part"));
const { stream = "" } = part.dataset;
const chat = new Chat({
  connection: line(),
  user: Number(document.body.dataset.user) || null,
  moderates: part.dataset.moderates !== undefined,
  mode: chatMode() === "off" ? "off" : "open",
  chats: () => [
    { stream, words: "", writable: document.querySelector("[data-writes-chat]") !== null },
  ],
});
part.append(chat.panel.node, chat.panel.toggle);
// A newer part of the page may say that its reader has entered meanwhile.
new MutationObserver(() => chat.renew()).observe(/** @type {HTMLElement} */ (part.parentElement), {
  childList: true,
});
