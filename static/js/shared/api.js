// Requests by the session of this page: to the room's HTTP API, and for a page once more.

import { csrfHeaders } from "./csrf.js";
import { noAnswer, notAccepted } from "./failures.js";

// On a broken network a browser waits for minutes, and with it what waits for the answer.
const ANSWER_MAX_MS = 10_000;
const PAGE_MAX_MS = 30_000;

/** @typedef {{ok: boolean, code: string, message: string}} Outcome */

/** @type {(code: string, message: string) => Outcome} */
const failed = (code, message) => ({ ok: false, code, message });

// What the room says: an outcome, or a problem with its code and sentence, also when it said
// nothing that a page can read, or nothing in time. Repeated under its `key` a request acts once.
/** @type {(path: string, body: Record<string, unknown>, key?: string) => Promise<Outcome>} */
export const post = (path, body, key) =>
  inTime(ANSWER_MAX_MS, (signal) => send(path, body, signal, key));

export const freshKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");

// The words of a page as it is now; none when the room refused, or did not answer in time.
/** @type {(address: string) => Promise<string>} */
export const pageWords = (address) =>
  inTime(PAGE_MAX_MS, async (signal) => {
    const answer = await fetch(address, { signal }).catch(() => null);
    return answer?.ok ? answer.text().catch(() => "") : "";
  });

// What the room tells at an address as JSON; null when it refused, or told nothing in time.
/** @type {(address: string) => Promise<any>} */
export const readJson = (address) =>
  inTime(ANSWER_MAX_MS, async (signal) => {
    const answer = await fetch(address, { signal }).catch(() => null);
    return answer?.ok ? answer.json().catch(() => null) : null;
  });

/** @type {<T>(ms: number, ask: (signal: AbortSignal) => Promise<T>) => Promise<T>} */
async function inTime(ms, ask) {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), ms);
  const answer = await ask(patience.signal);
  clearTimeout(timer);
  return answer;
}

/**
 * @type {(path: string, body: Record<string, unknown>, signal: AbortSignal, key?: string) =>
 *   Promise<Outcome>}
 */
async function send(path, body, signal, key) {
  const answer = await fetch(`/api/v1${path}`, {
    method: "POST",
    signal,
    // The front door refuses in the form that is asked for.
    headers: {
      Accept: "application/json",
      "Content-Type": "application/json",
      ...(key ? { "Idempotency-Key": key } : {}),
      ...csrfHeaders(),
    },
    body: JSON.stringify(body),
  }).catch(() => null);
  const told = await answer?.json().catch(() => null);
  if (!answer || signal.aborted) return failed("no_answer", noAnswer());
  if (!told?.code) return failed("not_read", notAccepted());
  return { ok: answer.ok, code: told.code, message: told.message ?? told.detail };
}
