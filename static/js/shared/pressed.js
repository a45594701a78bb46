// Presses on the page: nothing that lies under a press is replaced.

// The click comes after the release, and is to hit what was pressed.
const CLICK_MS = 80;

let button = false;
let fingers = 0;
let down = false;
let timer = 0;
/** @type {((value?: unknown) => void)[]} */
const waiting = [];

export const pressed = () => down;

// Comes when nothing is pressed: at once, or after the release.
export const released = () =>
  down ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve();

function changed() {
  clearTimeout(timer);
  if (button || fingers > 0) down = true;
  else timer = setTimeout(free, CLICK_MS);
}

function free() {
  down = false;
  for (const resolve of waiting.splice(0)) resolve();
}

/** @type {(event: PointerEvent) => void} */
function press(event) {
  // The other buttons open menus, which swallow the release.
  if (event.button !== 0) return;
  button = true;
  changed();
}

function release() {
  button = false;
  changed();
}

// A finger that pans sends `pointercancel` and stays down.
/** @type {(event: TouchEvent) => void} */
function touch(event) {
  fingers = event.touches.length;
  changed();
}

function nothing() {
  fingers = 0;
  release();
}

document.addEventListener("pointerdown", press);
for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, release);
for (const kind of /** @type {const} */ (["touchstart", "touchend", "touchcancel"]))
  document.addEventListener(kind, touch, { passive: true });
document.addEventListener("contextmenu", nothing);
window.addEventListener("blur", nothing);
