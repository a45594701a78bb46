// The player's own text for the seeds of this browser, kept in its storage.

const KEPT = "room.own_seed";
const LENGTH_MAX = 200;

/** @type {() => string} */
export function ownSeedText() {
  try {
    return localStorage.getItem(KEPT) ?? "";
  } catch {
    return "";
  }
}

/** @type {(input: HTMLInputElement) => void} */
export function offerOwnSeed(input) {
  input.maxLength = LENGTH_MAX;
  input.value = ownSeedText();
  input.addEventListener("change", () => {
    try {
      localStorage.setItem(KEPT, input.value.slice(0, LENGTH_MAX));
    } catch {
      input.value = ""; // a browser without storage keeps nothing
    }
  });
}
