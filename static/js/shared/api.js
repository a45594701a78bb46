// Requests to the room's HTTP API by the session of this page.

import { csrfHeaders } from "./csrf.js";
import { noAnswer, notAccepted } from "./failures.js";

/** @typedef {{ok: boolean, code: string, message: string}} Outcome */

/** @type {(code: string, message: string) => Outcome} */
const failed = (code, message) => ({ ok: false, code, message });

// What the room says: an outcome, or a problem with its code and sentence, also when it said
// nothing that a page can read.
/** @type {(path: string, body: Record<string, unknown>) => Promise<Outcome>} */
export async function post(path, body) {
  const answer = await fetch(`/api/v1${path}`, {
    method: "POST",
    // The front door refuses in the form that is asked for.
    headers: {
      Accept: "application/json",
      "Content-Type": "application/json",
      ...csrfHeaders(),
    },
    body: JSON.stringify(body),
  }).catch(() => null);
  if (!answer) return failed("no_answer", noAnswer());
  const told = await answer.json().catch(() => null);
  if (!told?.code) return failed("not_read", notAccepted());
  return { ok: answer.ok, code: told.code, message: told.message ?? told.detail };
}
