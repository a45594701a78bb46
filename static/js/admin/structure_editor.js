// The editor of a structure in the admin: rows instead of JSON, and a preview by the server.

import { attribute, el, elements, show } from "../shared/dom.js";
import { ask, choice, count, labelled } from "./structure_fields.js";
import { planner } from "./structure_plan.js";
import {
  AMOUNTS,
  added,
  allLasting,
  amount,
  columns,
  lasting,
  length,
  moved,
  removed,
} from "./structure_rows.js";

const ASK_AFTER_MS = 250;

/** @typedef {import("./structure_rows.js").Item} Item */
/** @typedef {import("./structure_rows.js").Amount} Amount */

/** @param {HTMLTextAreaElement} area */
function edit(area) {
  const words = JSON.parse(area.dataset.words ?? "{}");
  /** @type {number[]} */
  const ladder = JSON.parse(area.dataset.ladder ?? "[]");
  const rows = el("tbody");
  const preview = el("div", { class: "structure-preview", tabindex: "0", "aria-live": "polite" });
  const table = el("table", { class: "structure-editor" }, head(), rows);
  const stackField = /** @type {HTMLInputElement | null} */ (
    document.querySelector("#id_starting_stack")
  );
  const stack = () => stackField?.value ?? "";
  const plan = planner(area, words, {
    stack,
    take: (given) => store(given),
    changed: () => store(items, false),
  });
  let items = parsed(area.value) ?? [];
  let asked = 0;
  let asks = 0;

  /** @type {(changed: Item[], redraw?: boolean) => void} */
  function store(changed, redraw = true) {
    items = changed;
    area.value = JSON.stringify(items);
    if (redraw) draw();
    clearTimeout(asked);
    asked = setTimeout(look, ASK_AFTER_MS);
  }

  async function look() {
    const mine = ++asks;
    const answer = await ask(area.dataset.preview, {
      items: area.value,
      starting_stack: stack(),
      players: plan.players(),
    });
    // Whose session is over is led to the log-in: that page is no preview.
    const shown = answer?.ok && !answer.redirected ? await answer.text().catch(() => null) : null;
    // The answer to an older question may come after that to a newer one.
    if (shown === null || mine !== asks) return;
    preview.innerHTML = shown;
    const wrong = preview.querySelector("[data-item]")?.getAttribute("data-item") ?? "";
    [...rows.children].forEach((row, index) =>
      row.classList.toggle("wrong", String(index) === wrong),
    );
  }

  function head() {
    const names = [...AMOUNTS.slice(0, 3), "ante_kind", ...AMOUNTS.slice(3)];
    const heads = names.map((name) => el("th", { scope: "col", "data-column": name }, words[name]));
    return el(
      "thead",
      {},
      el(
        "tr",
        {},
        el("th", { scope: "col" }, words.level),
        ...heads,
        el("th", { scope: "col" }, words.lasts),
        el("th", {}),
      ),
    );
  }

  function draw() {
    let number = 0;
    const used = columns(items);
    attribute(table, "data-stud", used.stud);
    attribute(table, "data-blinds", used.blinds);
    bets.checked ||= used.bets;
    attribute(table, "data-bets", bets.checked);
    rows.replaceChildren(
      ...items.map((item, index) => {
        number += item.type === "level" ? 1 : 0;
        return row(item, index, number);
      }),
    );
  }

  // The rows were drawn anew: the keyboard stays with the one that was worked on.
  /** @type {(index: number, name: string) => void} */
  function focus(index, name) {
    const last = rows.children.length - 1;
    const row = rows.children[Math.max(0, Math.min(index, last))];
    if (row) elements(row, `[data-act=${name}]`)[0]?.focus();
  }

  /** @type {(item: Item, index: number, number: number) => HTMLElement} */
  function row(item, index, number) {
    const isLevel = item.type === "level";
    /** @param {(old: Item) => Item} changed */
    const change = (changed) =>
      store(
        items.map((old, at) => (at === index ? changed(old) : old)),
        false,
      );
    /** @type {Partial<Record<Amount, HTMLInputElement>>} */
    const fields = {};
    /** @type {(name: Amount) => (value: number) => void} */
    const typed = (name) => (value) => {
      change((old) => amount(old, name, value));
      // A number that follows another is shown, without taking the keyboard away.
      if (name === "small_blind" && fields.big_blind)
        fields.big_blind.value = String(items[index].big_blind);
    };
    const amounts = AMOUNTS.map((name) => {
      if (isLevel) fields[name] = count(words[name], item[name] ?? 0, typed(name));
      return el("td", { "data-column": name }, fields[name] ?? null);
    });
    amounts.splice(
      3,
      0,
      el(
        "td",
        { "data-column": "ante_kind" },
        isLevel
          ? choice(words.ante_kind, words.ante_kinds, item.ante_kind ?? "none", (kind) =>
              change((old) => ({ ...old, ante_kind: kind })),
            )
          : null,
      ),
    );
    const now = length(item);
    const relay = () => change((old) => lasting(old, Number(value.value), unit.value));
    const value = count(words.lasts, now.value, relay, { step: "any", inputmode: "decimal" });
    const unit = choice(words.lasts, words.units, now.unit, relay);
    show(unit, isLevel);
    /** @type {(label: string, name: string, changed: () => Item[], step?: number) => HTMLElement} */
    const act = (label, name, changed, step = 0) =>
      el(
        "button",
        {
          type: "button",
          title: label,
          "aria-label": `${label} ${index + 1}`,
          "data-act": name,
          onclick: () => {
            store(changed());
            focus(index + step, name);
          },
        },
        words.signs[name],
      );
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, isLevel ? `${words.level} ${number}` : words.break),
      ...amounts,
      el("td", { class: "lasts" }, value, unit, isLevel ? null : words.units.minutes),
      el(
        "td",
        { class: "acts" },
        act(words.up, "up", () => moved(items, index, -1), -1),
        act(words.down, "down", () => moved(items, index, 1), 1),
        act(words.add_level, "level", () => added(items, index, "level", ladder)),
        act(words.add_break, "break", () => added(items, index, "break", ladder)),
        act(words.remove, "remove", () => removed(items, index)),
      ),
    );
  }

  // Split and spread limit have bets of their own, which most structures need not say.
  const bets = el("input", { type: "checkbox", "data-act": "bets", onchange: () => draw() });

  function bulk() {
    const value = count(words.lasts_all, 10, () => {}, { step: "any", inputmode: "decimal" });
    const unit = choice(words.lasts_all, words.units, "minutes", () => {});
    const set = () => store(allLasting(items, Number(value.value), unit.value));
    return el(
      "p",
      {},
      `${words.lasts_all}: `,
      value,
      unit,
      el("button", { type: "button", "data-act": "all", onclick: set }, words.set),
      " ",
      el(
        "button",
        {
          type: "button",
          "data-act": "first",
          onclick: () => store(added(items, items.length - 1, "level", ladder)),
        },
        words.add_level,
      ),
      " ",
      labelled(words.own_bets, bets),
    );
  }

  const left = el(
    "div",
    { class: "structure-left" },
    bulk(),
    el("div", { class: "structure-scroll" }, table),
  );
  area.after(plan.node, el("div", { class: "structure-columns" }, left, preview));
  area.closest(".form-row, .field")?.classList.add("structure-row");
  show(area, false);
  stackField?.addEventListener("input", () => store(items, false));
  draw();
  look();
}

/** @type {(text: string) => Item[] | null} */
function parsed(text) {
  try {
    const items = JSON.parse(text);
    return Array.isArray(items) ? items : null;
  } catch {
    return null;
  }
}

for (const area of elements(document, "textarea[data-structure-editor]"))
  edit(/** @type {HTMLTextAreaElement} */ (area));
