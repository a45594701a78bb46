// The player's own last hands beside the log, each a way to its replay; read when they are opened.

import { el } from "../shared/dom.js";
import { gettext } from "../shared/i18n.js";

/** @param {import("./poker_table.js").PokerTable} room */
export function keepOwnHands(room) {
  const { table, user } = room.dataset;
  if (!user) return;
  const list = el("div", { class: "own-hands-body" });
  const node = /** @type {HTMLDetailsElement} */ (
    el(
      "details",
      { class: "own-hands", ontoggle: () => node.open && read() },
      el("summary", {}, gettext("My last hands")),
      list,
    )
  );
  const read = async () => {
    const answer = await fetch(`/tables/${table}/hands/mine/`).catch(() => null);
    if (!answer?.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    list.replaceChildren(...page.body.childNodes);
  };
  room.log.node.append(node);
  // A hand that begins: the one before is settled, and told to its end.
  room.model.addEventListener("happened", ({ detail: { event } }) => {
    if (event.type === "hand_began" && node.open) read();
  });
}
