// Favourites of the lobby: a star in each row, kept in this browser by the tournament's name, so that
// the next one of a series is one, too.

import { attribute, el } from "../shared/dom.js";
import { gettext, interpolate } from "../shared/i18n.js";
import { local } from "../shared/storage.js";

const KEY = "room.favourites";
const KEPT_MAX = 200;

/** @type {() => string[]} */
const kept = () => JSON.parse(local.get(KEY) ?? "[]");

/** @type {(name: string) => boolean} */
export const isFavourite = (name) => kept().includes(name);

/** @type {(name: string) => void} */
function toggle(name) {
  const others = kept().filter((other) => other !== name);
  const now = isFavourite(name) ? others : [name, ...others].slice(0, KEPT_MAX);
  local.set(KEY, JSON.stringify(now));
}

/**
 * Give each row its star; `changed` is called after one was pressed.
 * @type {(body: HTMLTableSectionElement, changed: () => void) => void}
 */
export function star(body, changed) {
  for (const row of body.rows) {
    const { name = "" } = row.dataset;
    const title = row.querySelector(".title");
    if (!title) continue;
    let button = title.querySelector(".star");
    if (!button) {
      const press = () => {
        toggle(name);
        star(body, changed);
        changed();
      };
      button = el("button", { type: "button", class: "star", onclick: press });
      title.prepend(button);
    }
    const on = isFavourite(name);
    button.textContent = on ? "★" : "☆";
    attribute(button, "aria-pressed", String(on));
    attribute(button, "aria-label", interpolate(gettext("Favourite: %(name)s"), { name }));
  }
}
