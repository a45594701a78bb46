// Subscription of this browser at its push service, and its way to the room.

import { csrfHeaders } from "./csrf.js";
import { local } from "./storage.js";

const WORKER = "/worker.js";
const PUSHED = "room.pushed";

/** Whether this browser has all that pushes need; plain http has not. */
export const canPush = () =>
  isSecureContext && "serviceWorker" in navigator && "PushManager" in window;

/** Register the service worker, which also shows the page that tells of a lost network. */
export const registerWorker = () => navigator.serviceWorker.register(WORKER);

/** @returns {Promise<PushSubscription | null>} */
export async function ownSubscription() {
  const known = await navigator.serviceWorker.getRegistration(WORKER);
  return (await known?.pushManager.getSubscription()) ?? null;
}

/**
 * Subscribe for the room's key; a subscription for another key is given up first.
 * @type {(key: string) => Promise<PushSubscription>}
 */
export async function subscribe(key) {
  await registerWorker();
  const { pushManager } = await navigator.serviceWorker.ready;
  const bytes = decoded(key);
  const known = await pushManager.getSubscription();
  const asked = known?.options.applicationServerKey;
  if (known && asked && !isEqual(new Uint8Array(asked), bytes)) await known.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes });
}

/**
 * Give a subscription to the room; returns the words of a refusal, or "".
 * @type {(subscription: PushSubscription, address: string) => Promise<string>}
 */
export async function sendSubscription(subscription, address) {
  const answer = await post(subscription, address);
  return answer.ok ? "" : (await answer.json()).message;
}

/**
 * Give a subscription to the room again, unasked; returns whether the player removed it meanwhile.
 * @type {(subscription: PushSubscription, address: string) => Promise<boolean>}
 */
export async function renewSubscription(subscription, address) {
  const answer = await post(subscription, address, { renews: "1" });
  return answer.ok && Boolean((await answer.json()).removed);
}

/** @type {(subscription: PushSubscription, address: string, more?: object) => Promise<Response>} */
function post(subscription, address, more = {}) {
  const { endpoint = "", keys = {} } = subscription.toJSON();
  const body = { address: endpoint, public_key: keys.p256dh, secret: keys.auth, ...more };
  return fetch(address, {
    method: "POST",
    headers: csrfHeaders(),
    body: new URLSearchParams(body),
  });
}

// The user who turned this browser on: after a new log-in of the same one it goes on by itself.
/** @type {(user: string) => void} */
export const notePushed = (user) => local.set(PUSHED, user);
export const forgetPushed = () => local.remove(PUSHED);
/** @type {(user: string) => boolean} */
export const isPushed = (user) => local.get(PUSHED) === user;

/** @type {(text: string) => Uint8Array<ArrayBuffer>} */
function decoded(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

/** @type {(one: Uint8Array, other: Uint8Array) => boolean} */
const isEqual = (one, other) =>
  one.length === other.length && one.every((byte, index) => byte === other[index]);
