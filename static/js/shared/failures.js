// A failed request of htmx becomes one notice to the player who made it.

import { gettext } from "./i18n.js";
import { toast } from "./toasts.js";

export const noAnswer = () => gettext("The room did not answer; look at what you have first.");
export const notRead = () => gettext("The room does not answer. Try again in a moment.");
export const notAccepted = () =>
  gettext("The room did not accept this. Reload the page, then try again.");

const ASKED = new Set(["click", "submit"]);
/** @type {HTMLElement | null} */
let told = null;

/** @typedef {{verb: string, path: string, triggeringEvent?: Event}} HtmxRequest */

// What the page renews by itself comes again by itself; it says nothing.
/** @type {(request: HtmxRequest) => boolean} */
const isAsked = ({ verb, triggeringEvent }) =>
  verb !== "get" || ASKED.has(triggeringEvent?.type ?? "");

/** @type {(detail: {requestConfig: HtmxRequest}, words: string) => void} */
function tell({ requestConfig }, words) {
  if (!isAsked(requestConfig)) return;
  told?.remove();
  told = toast({ title: words, kind: "error" });
}

export function tellFailures() {
  document.body.addEventListener("htmx:responseError", ({ detail }) => tell(detail, notAccepted()));
  document.body.addEventListener("htmx:sendError", ({ detail }) => {
    const asked = detail.requestConfig.verb === "get";
    tell(detail, asked ? notRead() : noAnswer());
  });
}
