// Levels suggested by the server from players, stack and hours, above the rows of the editor.

import { el, text } from "../shared/dom.js";
import { ask, choice, count, labelled } from "./structure_fields.js";

export const PLAYERS = 27;

/**
 * @param {HTMLElement} area
 * @param {Record<string, any>} words
 * @param {{stack: () => string, take: (items: import("./structure_rows.js").Item[]) => void,
 *   changed: () => void}} rows
 * @returns {{node: HTMLElement, players: () => string}}
 */
export function planner(area, words, { stack, take, changed }) {
  const players = count(words.players, PLAYERS, changed, { min: 2, "data-plan-field": "players" });
  const hours = count(words.hours, 3, () => {}, {
    min: 0.25,
    step: 0.25,
    inputmode: "decimal",
    "data-plan-field": "hours",
  });
  const antes = choice(words.antes, words.ante_kinds, "none", () => {});
  const stud = el("input", { type: "checkbox" });
  const wrong = el("p", { class: "errornote", role: "alert", hidden: true });
  /** @param {HTMLButtonElement} button */
  const fill = async (button) => {
    button.disabled = true;
    const answer = await ask(area.dataset.plan, {
      players: players.value,
      starting_stack: stack(),
      hours: hours.value,
      ante_kind: antes.value,
      ...(stud.checked ? { stud: "on" } : {}),
    });
    const said = await answer?.json().catch(() => null);
    button.disabled = false;
    text(wrong, (said?.errors ?? []).join(" "));
    wrong.hidden = !said?.errors;
    if (said?.items) take(said.items);
  };
  const button = el(
    "button",
    {
      type: "button",
      class: "button",
      "data-act": "plan",
      onclick: (event) => fill(event.currentTarget),
    },
    words.plan,
  );
  const node = el(
    "fieldset",
    { class: "structure-plan" },
    el("legend", {}, words.plan_lead),
    labelled(words.players, players),
    labelled(words.hours, hours),
    labelled(words.antes, antes),
    labelled(words.stud, stud),
    button,
    wrong,
  );
  return { node, players: () => players.value };
}
