// The keyboard at the table; silent while a text box has the focus, Enter and Esc excepted.

/** @type {Record<string, string>} */
const ROW = { f: "fold", c: "call", r: "raise", t: "bank", m: "showdown", "?": "help" };

// What a held key does again and again; any other would act in the next turn, too.
const HELD = new Set(["more", "less"]);

/** @type {(node: Element) => boolean} */
const typing = (node) =>
  node.matches?.("textarea, select, [contenteditable], input:not([type=range])") ?? false;

// What Enter presses or answers by itself, the rows of a chat and of the hand log, which are read,
// and what has the focus of a button that went.
const ENTERED =
  "a[href], button, summary, [role=alertdialog], .chat-lines, .log .lines, .action-panel > :focus";

// bind(actions): an action per name; a press is used up when its action says so.
/** @type {(actions: Record<string, (event: KeyboardEvent) => unknown>) => () => void} */
export function bindKeys(actions) {
  /** @param {KeyboardEvent} event */
  const press = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]"))
      return;
    const name = nameOf(event);
    const again = event.repeat && !HELD.has(name ?? "");
    // Enter on a button is the browser's own: held down it would press the button again.
    const used = again ? name || event.key === "Enter" : name && actions[name]?.(event) !== false;
    if (used) event.preventDefault();
    // Who plays on has done with what he clicked before: the next Enter is the game's again. An arrow
    // without a use scrolls, and leaves the focus where it is.
    const target = /** @type {HTMLElement} */ (event.target);
    if (name && name !== "confirm" && (used || !HELD.has(name)) && target.closest(ENTERED))
      target.blur();
  };
  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);
}

/** @type {(event: KeyboardEvent) => string | null} */
function nameOf(event) {
  const { key } = event;
  const target = /** @type {HTMLInputElement} */ (event.target);
  const inBox = typing(target);
  if (key === "Escape") return "cancel";
  if (key === "Enter") return target.closest(ENTERED) ? null : "confirm";
  if (key === "ArrowUp" || key === "ArrowDown") return key === "ArrowUp" ? "more" : "less";
  if (inBox) return null;
  if (target.type !== "range" && (key === "ArrowRight" || key === "ArrowLeft")) {
    return key === "ArrowRight" ? "more" : "less";
  }
  if (/^[1-5]$/.test(key)) return `preset${key}`;
  return ROW[key.toLowerCase()] ?? null;
}
