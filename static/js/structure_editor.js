// The editor of a structure in the admin: rows instead of JSON, and a preview by the server.

import { el, show } from "./dom.js";
import { AMOUNTS, added, allLasting, lasting, length, moved, removed } from "./structure_rows.js";

const ASK_AFTER_MS = 250;

function edit(area) {
  const words = JSON.parse(area.dataset.words);
  const rows = el("tbody");
  const preview = el("div", { class: "structure-preview", "aria-live": "polite" });
  let items = parsed(area.value) ?? [];
  let asked = 0;
  let asks = 0;

  function store(changed, redraw = true) {
    items = changed;
    area.value = JSON.stringify(items);
    if (redraw) draw();
    clearTimeout(asked);
    asked = setTimeout(ask, ASK_AFTER_MS);
  }

  async function ask() {
    const mine = ++asks;
    const stack = document.querySelector("#id_starting_stack")?.value ?? "";
    const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";
    const answer = await fetch(area.dataset.preview, {
      method: "POST",
      headers: { "X-CSRFToken": token, "Content-Type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ items: area.value, starting_stack: stack }),
    }).catch(() => null);
    const shown = answer?.ok ? await answer.text().catch(() => null) : null;
    // The answer to an older question may come after that to a newer one.
    if (shown !== null && mine === asks) preview.innerHTML = shown;
  }

  function draw() {
    let number = 0;
    rows.replaceChildren(
      ...items.map((item, index) => {
        number += item.type === "level" ? 1 : 0;
        return row(item, index, number);
      }),
    );
  }

  // The rows were drawn anew: the keyboard stays with the one that was worked on.
  function focus(index, name) {
    const last = rows.children.length - 1;
    rows.children[Math.max(0, Math.min(index, last))]?.querySelector(`[data-act=${name}]`).focus();
  }

  function row(item, index, number) {
    const isLevel = item.type === "level";
    const change = (changed) =>
      store(items.map((old, at) => (at === index ? { ...old, ...changed(old) } : old)), false);
    const amounts = AMOUNTS.map((name) =>
      el("td", {}, isLevel
        ? count(words[name], item[name] ?? 0, (value) => change(() => ({ [name]: value })))
        : null),
    );
    amounts.splice(3, 0, el("td", {}, isLevel
      ? choice(words.ante_kind, words.ante_kinds, item.ante_kind ?? "none", (kind) =>
          change(() => ({ ante_kind: kind })))
      : null));
    const now = length(item);
    const value = count(words.lasts, now.value, () => change(lasts), "any");
    const unit = choice(words.lasts, words.units, now.unit, () => change(lasts));
    const lasts = (old) => lasting(old, Number(value.value), unit.value);
    show(unit, isLevel);
    const act = (label, name, changed, step = 0) =>
      el("button", { type: "button", title: label, "aria-label": `${label} ${index + 1}`, "data-act": name,
        onclick: () => {
          store(changed());
          focus(index + step, name);
        } }, words.signs[name]);
    return el("tr", {},
      el("th", { scope: "row" }, isLevel ? `${words.level} ${number}` : words.break),
      ...amounts,
      el("td", {}, value, unit, isLevel ? null : words.units.minutes),
      el("td", {},
        act(words.up, "up", () => moved(items, index, -1), -1),
        act(words.down, "down", () => moved(items, index, 1), 1),
        act(words.add_level, "level", () => added(items, index, "level")),
        act(words.add_break, "break", () => added(items, index, "break")),
        act(words.remove, "remove", () => removed(items, index))),
    );
  }

  function bulk() {
    const value = count(words.lasts_all, 10, () => {}, "any");
    const unit = choice(words.lasts_all, words.units, "minutes", () => {});
    const set = () => store(allLasting(items, Number(value.value), unit.value));
    return el("p", {}, `${words.lasts_all}: `, value, unit,
      el("button", { type: "button", "data-act": "all", onclick: set }, words.set),
      " ",
      el("button", { type: "button", "data-act": "first",
        onclick: () => store(added(items, items.length - 1, "level")) }, words.add_level));
  }

  const heads = [words.level, ...AMOUNTS.slice(0, 3).map((name) => words[name]), words.ante_kind,
    ...AMOUNTS.slice(3).map((name) => words[name]), words.lasts, ""];
  const table = el("table", { class: "structure-editor" },
    el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", { scope: "col" }, head)))), rows);
  area.after(bulk(), table, preview);
  show(area, false);
  document.querySelector("#id_starting_stack")?.addEventListener("input", () => store(items, false));
  draw();
  ask();
}

function parsed(text) {
  try {
    const items = JSON.parse(text);
    return Array.isArray(items) ? items : null;
  } catch {
    return null;
  }
}

function count(label, value, changed, step = "1") {
  return el("input", { type: "number", min: 0, step, value, "aria-label": label,
    oninput: (event) => changed(Number(event.target.value)) });
}

function choice(label, options, chosen, changed) {
  return el("select", { "aria-label": label, onchange: (event) => changed(event.target.value) },
    ...Object.entries(options).map(([value, words]) =>
      el("option", { value, selected: value === chosen }, words)));
}

for (const area of document.querySelectorAll("textarea[data-structure-editor]")) edit(area);
