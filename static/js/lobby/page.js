// The lobby: rows follow the stream, sort by any column, filter by words and kind.

import { now } from "../shared/clock.js";
import { attribute, show, text } from "../shared/dom.js";
import { chips, money } from "../shared/format.js";
import { released } from "../shared/pressed.js";
import { line } from "../shared/socket.js";
import { local } from "../shared/storage.js";
import { isFavourite, star } from "./favourites.js";
import { LobbyRows } from "./rows.js";

const SORT = "room.lobby_sort";
const SOON_MS = 60 * 60_000;
const SOON_EVERY_MS = 10_000;
const table = /** @type {HTMLTableElement} */ (document.getElementById("lobby"));
const body = table.tBodies[0];
const headCells = () => [...(table.tHead?.rows[0].cells ?? [])];

/** @type {(id: number) => HTMLElement | null} */
const rowOf = (id) => document.getElementById(`tournament-${id}`);
/** @type {(row: Element, name: string) => HTMLElement | null} */
const cell = (row, name) => row.querySelector(`[data-field="${name}"]`);

/** @type {(row: Element, name: string, words: string, sortValue?: number) => void} */
function say(row, name, words, sortValue) {
  const node = cell(row, name);
  if (!node) return;
  text(node, words);
  const holder = node.closest("td");
  if (holder && sortValue !== undefined) attribute(holder, "data-sort", sortValue);
}

/** @type {(summary: Wire.Summary) => void} */
function update(summary) {
  const row = rowOf(summary.tournament);
  // What a row offers to do hangs on these two; the rest is only numbers.
  const { shown, full } = row?.dataset ?? {};
  const known = shown === summary.shown && full === String(summary.full);
  if (!row || !known || rows.asks(summary.tournament)) return rows.ask(summary.tournament);
  say(row, "entrants", chips(summary.entrants), summary.entrants);
  say(row, "left", chips(summary.left));
  say(row, "level", String(summary.level));
  const pool = Math.max(summary.pool, summary.guarantee);
  say(row, "pool", money(pool), pool);
}

/** @type {(a: string, b: string) => number} */
function compare(a, b) {
  const [x, y] = [Number(a), Number(b)];
  if (!Number.isNaN(x) && !Number.isNaN(y)) return x - y;
  return String(a).localeCompare(String(b), document.documentElement.lang);
}

// The chosen order of the rows; none is the server's.
/** @type {((a: HTMLTableRowElement, b: HTMLTableRowElement) => number) | null} */
let order = null;

/** @type {(column: number, direction: number) => void} */
function sort(column, direction) {
  /** @type {(row: HTMLTableRowElement) => string} */
  const value = (row) =>
    row.cells[column]?.dataset.sort ?? row.cells[column]?.textContent?.trim() ?? "";
  order = (a, b) => direction * compare(value(a), value(b));
  body.append(...[...body.rows].sort(order));
  headCells().forEach((head, index) =>
    attribute(
      head,
      "aria-sort",
      index === column ? (direction > 0 ? "ascending" : "descending") : null,
    ),
  );
}

// By the heads of the columns, or where a phone has none by a choice of their names.
/** @type {(choice: HTMLSelectElement) => void} */
function sortable(choice) {
  /** @type {(column: number, direction: number) => void} */
  const by = (column, direction) => {
    sort(column, direction);
    choice.value = `${column} ${direction}`;
    if (choice.selectedIndex < 0) choice.value = "";
  };
  /** @type {(column: number, direction: number) => void} */
  const keep = (column, direction) => {
    local.set(SORT, JSON.stringify([column, direction]));
    by(column, direction);
  };
  const heads = headCells();
  heads.forEach((head, column) => {
    head.querySelector("button")?.addEventListener("click", () => {
      keep(column, head.getAttribute("aria-sort") === "ascending" ? -1 : 1);
    });
  });
  choice.addEventListener("change", () => {
    const [column, direction] = choice.value.split(" ").map(Number);
    if (choice.value) keep(column, direction);
  });
  /** @type {[number, number] | null} */
  const kept = JSON.parse(local.get(SORT) ?? "null");
  if (kept) by(...kept);
}

// A start still to come, within the hour.
/** @type {(row: HTMLTableRowElement) => boolean} */
function isSoon(row) {
  const left = Number(row.cells[0].dataset.sort) - now();
  return left > 0 && left <= SOON_MS;
}

/** @type {Record<string, (row: HTMLTableRowElement) => boolean>} */
const KINDS = { soon: isSoon, favourite: (row) => isFavourite(row.dataset.name ?? "") };

/** @type {(row: HTMLTableRowElement, kind: string) => boolean} */
const isOfKind = (row, kind) =>
  kind in KINDS ? KINDS[kind](row) : !kind || (row.dataset.kinds ?? "").split(" ").includes(kind);

// Hides the rows that do not fit, now and whenever the form changes; what to call for new rows.
/** @type {(form: HTMLFormElement) => () => void} */
function filter(form) {
  const none = /** @type {HTMLElement} */ (document.getElementById("lobby-none"));
  /** @type {(name: string) => HTMLInputElement | HTMLSelectElement} */
  const field = (name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
  const apply = () => {
    star(body, apply);
    const words = field("words").value.trim().toLowerCase();
    const kind = field("kind").value;
    for (const row of body.rows)
      row.hidden = !((row.dataset.name ?? "").toLowerCase().includes(words) && isOfKind(row, kind));
    const all = [...body.rows];
    if (all.length) document.getElementById("lobby-empty")?.remove();
    show(none, all.length > 0 && all.every((row) => row.hidden));
  };
  // What starts soon changes with the time alone; a row does not go under a finger.
  const applySoon = async () => {
    if (field("kind").value !== "soon") return;
    await released();
    apply();
  };
  apply();
  setInterval(applySoon, SOON_EVERY_MS);
  form.addEventListener("input", apply);
  form.addEventListener("reset", () => setTimeout(apply));
  form.addEventListener("submit", (event) => event.preventDefault());
  none.querySelector("button")?.addEventListener("click", () => {
    form.reset();
    field("words").focus();
  });
  return apply;
}

const form = /** @type {HTMLFormElement} */ (document.getElementById("lobby-filter"));
// A new row goes where the chosen order has it; the others stay where they are.
/** @type {(row: HTMLTableRowElement) => Element | null} */
const next = (row) => [...body.rows].find((other) => order && order(other, row) > 0) ?? null;
const rows = new LobbyRows(body, filter(form), next);
line().follow("lobby", {
  snapshot: (state) => (state.tournaments ?? []).forEach(update),
  events: (events) =>
    events.forEach((event) => event.type === "tournament_summary" && update(event.summary)),
});
document.body.addEventListener(
  "room:mine",
  ({ detail }) => detail.tournament && rows.ask(detail.tournament, true),
);
sortable(/** @type {HTMLSelectElement} */ (form.elements.namedItem("sort")));
