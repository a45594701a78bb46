// The installed app: its service worker, and pushes that go on after a new log-in.

import {
  canPush,
  forgetPushed,
  isPushed,
  ownSubscription,
  registerWorker,
  renewSubscription,
} from "../shared/push_subscription.js";
import { session } from "../shared/storage.js";

const IDLE_MS = 10_000;
const RENEWED = "room.push_renewed";
const ADD = "/account/notifications/devices/";

// A log-out ends the pushes of a browser at the room, not in the browser.
/** @type {(user: string) => Promise<void>} */
async function renew(user) {
  if (!canPush() || !isPushed(user) || Notification.permission !== "granted") return;
  if (session.get(RENEWED)) return;
  const subscription = await ownSubscription();
  if (subscription && (await renewSubscription(subscription, ADD))) {
    // Removed from the list on another device: it stays off until it is turned on here again.
    forgetPushed();
    await subscription.unsubscribe();
  }
  session.set(RENEWED, "1");
}

/**
 * Register the worker once the page has been open for a while: it waits for the game.
 * @type {(user?: string) => void}
 */
export function keepApp(user) {
  if (!isSecureContext || !("serviceWorker" in navigator)) return;
  // Nobody is logged in: the next log-in in this window renews again.
  if (!user) session.remove(RENEWED);
  setTimeout(async () => {
    try {
      await registerWorker();
      if (user) await renew(user);
    } catch {
      // Without storage or network there is no worker; the next page tries again.
    }
  }, IDLE_MS);
}
