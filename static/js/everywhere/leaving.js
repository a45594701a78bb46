// A page on its way to another: what it shows will be gone, so it asks for nothing new.

const GIVEN_UP_MS = 60_000;
const LOOK_MS = 200;
const DIALOG_MAX_MS = 20_000;
let left = -Infinity;

/** @type {(address: string) => void} */
export function leaveFor(address) {
  left = Date.now();
  location.assign(address);
}

// A dialog is finished first: what is written in it would be lost. One that was forgotten open does
// not keep its player from the seat.
/** @type {(address: string, until?: number) => void} */
export function leaveAfterDialog(address, until = Date.now() + DIALOG_MAX_MS) {
  const waits = document.querySelector("dialog[open]") && Date.now() < until;
  if (waits) setTimeout(() => leaveAfterDialog(address, until), LOOK_MS);
  else leaveFor(address);
}

// A page that was left and does not go within a minute stays: its reader has stopped the way.
export const isLeaving = () => Date.now() - left < GIVEN_UP_MS;

// The browser shows a page that it kept: it is read again from now on.
window.addEventListener("pageshow", ({ persisted }) => {
  if (persisted) left = -Infinity;
});
