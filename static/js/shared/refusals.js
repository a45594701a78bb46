// The sentence of a refusal: the server's, or one of the browser's own when there is no server.

import { chips } from "./format.js";
import { gettext, interpolate } from "./i18n.js";

/** @type {() => Record<string, string>} */
const SENTENCES = () => ({
  line_lost: gettext("The connection is interrupted; nothing was sent."),
  no_answer: gettext("The room did not answer in time; look at the table before you act again."),
});

/** @type {(refusal: {code: string, message?: string, allowed?: Record<string, any>}) => string} */
export function refusalWords({ code, message, allowed }) {
  const sentence = SENTENCES()[code] ?? message ?? code;
  const known = Object.fromEntries(
    Object.entries(allowed ?? {}).map(([name, value]) => [
      name,
      typeof value === "number" ? chips(value) : value,
    ]),
  );
  return interpolate(sentence, known);
}
