// The panel of a deal: as fresh as the field, and folded and focused as its reader left it.

import { pressed, released } from "../shared/pressed.js";

export const renewDeal = () => document.body.dispatchEvent(new Event("room:deal"));

/** @type {(model: import("../state/table_model.js").TableModel) => void} */
export function keepDeal(model) {
  const panel = document.getElementById("deal-panel");
  if (!panel) return;
  const details = () => panel.querySelector("details");
  /** @type {{open?: boolean, vote?: string, focused?: Element | null}} */
  let before = {};
  panel.addEventListener("htmx:beforeSwap", ({ detail }) => {
    // What is pressed just now is not to be replaced before the click.
    if (detail.requestConfig?.verb === "get" && pressed()) {
      detail.shouldSwap = false;
      released().then(renewDeal);
      return;
    }
    const { open = false, dataset: { vote } = {} } = details() ?? {};
    const focused = document.activeElement;
    before = { open, vote, focused: panel.contains(focused) ? focused : null };
  });
  panel.addEventListener("htmx:afterSwap", () => {
    const newer = details();
    if (!newer) return;
    if (before.open) newer.open = true;
    // A vote unfolds itself once; who folded it has seen it.
    else if (before.vote && before.vote === newer.dataset.vote) newer.open = false;
    // At the body of the page the next Enter would be one at the table.
    if (before.focused && document.activeElement === document.body)
      (document.getElementById(before.focused.id) ?? newer.querySelector("summary"))?.focus();
  });
  // What everybody would get is another with every hand.
  model.addEventListener("happened", ({ detail: { event } }) => {
    if (event.type === "hand_began" && details()?.open) renewDeal();
  });
}
