// The name of this browser window: kept from page to page, and no other window's.

import { session } from "./storage.js";

const NAME = "room.window";
const IN_USE = "room.window_in_use";

// A duplicated window starts with a copy of the other's storage, whose name is then still in use.
function kept() {
  return session.get(IN_USE) ? null : session.get(NAME);
}

export const windowName = kept() ?? Math.random().toString(36).slice(2, 14);

const enter = () => {
  session.set(NAME, windowName);
  session.set(IN_USE, "1");
};

enter();
window.addEventListener("pageshow", enter);
window.addEventListener("pagehide", () => session.remove(IN_USE));
