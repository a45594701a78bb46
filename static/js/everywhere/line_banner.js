// The banner with the state of the connection and the number of attempts.

import { el, show } from "../shared/dom.js";
import { gettext, interpolate } from "../shared/i18n.js";

const PATIENCE_MS = 600;

/** @typedef {import("../shared/socket.js").LineNews} LineNews */

/** @type {(news: LineNews) => string} */
function lostWords(detail) {
  const words =
    detail.bye?.code === "too_many_sockets"
      ? gettext(
          "Too many connections, perhaps from other pages of yours. Trying again, attempt %(attempt)s …",
        )
      : gettext("Connection lost. Reconnecting, attempt %(attempt)s …");
  return interpolate(words, detail);
}

/** @type {(news: LineNews) => string} */
const silentWords = ({ offline }) =>
  offline
    ? gettext("Your device is offline. What you see is how it was.")
    : gettext("The room does not answer. What you see is how it was.");

/** @type {(line: import("../shared/socket.js").Line, banner: HTMLElement) => void} */
export function watchLine(line, banner) {
  let timer = 0;

  /** @type {(kind: string, words: string, button?: HTMLElement | null) => void} */
  const say = (kind, words, button = null) => {
    banner.dataset.kind = kind;
    banner.replaceChildren(words, ...(button ? [button] : []));
    show(banner, true);
  };

  /** @type {(bye?: Wire.Bye | null) => void} */
  const stopped = (bye) => {
    const words = bye?.message ?? gettext("The room closed the connection.");
    const reload = el(
      "button",
      { class: "button small", type: "button", onclick: () => location.reload() },
      gettext("Reload"),
    );
    say("stopped", words, reload);
  };

  line.addEventListener("line", ({ detail }) => {
    clearTimeout(timer);
    if (detail.state === "open" || detail.state === "answers") show(banner, false);
    else if (detail.state === "silent") say("lost", silentWords(detail));
    else if (detail.state === "stopped") stopped(detail.bye);
    else if (detail.attempt > 0) {
      const words = lostWords(detail);
      timer = setTimeout(() => say("lost", words), banner.hidden ? PATIENCE_MS : 0);
    }
  });
}
