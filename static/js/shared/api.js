// Requests to the room's HTTP API by the session of this page.

import { csrfHeaders } from "./csrf.js";
import { noAnswer, notAccepted } from "./failures.js";

// On a broken network a browser waits for minutes; the button that was pressed waits with it.
const ANSWER_MAX_MS = 10_000;

/** @typedef {{ok: boolean, code: string, message: string}} Outcome */

/** @type {(code: string, message: string) => Outcome} */
const failed = (code, message) => ({ ok: false, code, message });

// What the room says: an outcome, or a problem with its code and sentence, also when it said
// nothing that a page can read, or nothing in time.
/** @type {(path: string, body: Record<string, unknown>) => Promise<Outcome>} */
export async function post(path, body) {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), ANSWER_MAX_MS);
  const outcome = await send(path, body, patience.signal);
  clearTimeout(timer);
  return outcome;
}

/** @type {(path: string, body: Record<string, unknown>, signal: AbortSignal) => Promise<Outcome>} */
async function send(path, body, signal) {
  const answer = await fetch(`/api/v1${path}`, {
    method: "POST",
    signal,
    // The front door refuses in the form that is asked for.
    headers: {
      Accept: "application/json",
      "Content-Type": "application/json",
      ...csrfHeaders(),
    },
    body: JSON.stringify(body),
  }).catch(() => null);
  const told = await answer?.json().catch(() => null);
  if (!answer || signal.aborted) return failed("no_answer", noAnswer());
  if (!told?.code) return failed("not_read", notAccepted());
  return { ok: answer.ok, code: told.code, message: told.message ?? told.detail };
}
