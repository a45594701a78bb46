// Subscription of this browser at its push service, and its way to the room.

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

/** Subscribe for the room's key; a subscription for another key is given up first. */
export async function subscribe(key) {
  await registerWorker();
  const { pushManager } = await navigator.serviceWorker.ready;
  const bytes = decoded(key);
  const known = await pushManager.getSubscription();
  const asked = known?.options.applicationServerKey;
  if (known && asked && !isEqual(new Uint8Array(asked), bytes)) await known.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes });
}

/** Give a subscription to the room; returns the words of a refusal, or "". */
export async function sendSubscription(subscription, address) {
  const { endpoint, keys } = subscription.toJSON();
  const { "X-CSRFToken": token } = JSON.parse(document.body.getAttribute("hx-headers") ?? "{}");
  const answer = await fetch(address, {
    method: "POST",
    headers: { "X-CSRFToken": token },
    body: new URLSearchParams({ address: endpoint, public_key: keys.p256dh, secret: keys.auth }),
  });
  return answer.ok ? "" : (await answer.json()).message;
}

// The user who turned this browser on: after a new log-in of the same one it goes on by itself.
export const notePushed = (user) => localStorage.setItem(PUSHED, user);
export const forgetPushed = () => localStorage.removeItem(PUSHED);
export const isPushed = (user) => localStorage.getItem(PUSHED) === user;

function decoded(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

const isEqual = (one, other) =>
  one.length === other.length && one.every((byte, index) => byte === other[index]);
