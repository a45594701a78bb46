// Pushes to this browser: turned on and off by buttons, after the browser's own question.

import { notRead } from "../shared/failures.js";
import { gettext } from "../shared/i18n.js";
import {
  canPush,
  forgetPushed,
  notePushed,
  ownSubscription,
  sendSubscription,
  subscribe,
} from "../shared/push_subscription.js";

const part = /** @type {HTMLElement} */ (document.getElementById("push"));
const { key = "", add = "", forget = "" } = part.dataset;
/** @type {(name: string) => HTMLButtonElement | null} */
const button = (name) =>
  /** @type {HTMLButtonElement | null} */ (part.querySelector(`[data-push="${name}"]`));

/** @type {(words: string) => void} */
function say(words) {
  const note = /** @type {HTMLElement} */ (part.querySelector("p.status"));
  note.textContent = words;
  note.hidden = !words;
}

/** @type {(subscription: PushSubscription | null) => void} */
function draw(subscription) {
  const [on, off] = [button("on"), button("off")];
  if (on) on.hidden = Boolean(subscription);
  if (off) off.hidden = !subscription;
}

async function turnOn() {
  say("");
  try {
    // Asked within the click: browsers show no question otherwise.
    if ((await Notification.requestPermission()) !== "granted") {
      say(gettext("This browser does not allow the room to notify you. Its settings decide."));
      return;
    }
    const refusal = await sendSubscription(await subscribe(key), add);
    if (refusal) {
      say(refusal);
      return;
    }
    notePushed(document.body.dataset.user ?? "");
    location.reload();
  } catch {
    say(gettext("This browser's push service could not be reached. Try again later."));
  }
}

async function turnOff() {
  say("");
  try {
    const subscription = await ownSubscription();
    if (subscription) {
      await sendSubscription(subscription, forget);
      await subscription.unsubscribe();
    }
    forgetPushed();
    location.reload();
  } catch {
    say(notRead());
  }
}

// Quiet hours are meant in the zone of the browser until another one is saved.
function proposeZone() {
  const form = document.querySelector("form[data-new]");
  const zones = /** @type {HTMLSelectElement | null} */ (form?.querySelector("[name=time_zone]"));
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zones && [...zones.options].some((option) => option.value === own)) zones.value = own;
}

proposeZone();
if (key) {
  button("on")?.addEventListener("click", turnOn);
  button("off")?.addEventListener("click", turnOff);
  if (!canPush())
    say(
      gettext(
        "This browser takes no notifications. On an iPhone, add the room to the home screen first.",
      ),
    );
  else draw(await ownSubscription());
}
