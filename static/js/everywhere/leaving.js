// A page on its way to another: what it shows will be gone, so it asks for nothing new.

const GIVEN_UP_MS = 60_000;
let left = -Infinity;

/** @type {(address: string) => void} */
export function leaveFor(address) {
  left = Date.now();
  location.assign(address);
}

// A page that was left and does not go within a minute stays: its reader has stopped the way.
export const isLeaving = () => Date.now() - left < GIVEN_UP_MS;

// The browser shows a page that it kept: it is read again from now on.
window.addEventListener("pageshow", () => (left = -Infinity));
