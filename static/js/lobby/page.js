// The lobby: rows follow the stream, sort by any column, filter by words and kind.

import { now } from "../shared/clock.js";
import { attribute, show, text } from "../shared/dom.js";
import { chips, money } from "../shared/format.js";
import { line } from "../shared/socket.js";
import { isFavourite, star } from "./favourites.js";
import { LobbyRows } from "./rows.js";

const SORT = "room.lobby_sort";
const SOON_MS = 60 * 60_000;
const table = /** @type {HTMLTableElement} */ (document.getElementById("lobby"));
const body = table.tBodies[0];
const headCells = () => [...(table.tHead?.rows[0].cells ?? [])];

const rowOf = (id) => document.getElementById(`tournament-${id}`);
const cell = (row, name) => row.querySelector(`[data-field="${name}"]`);

function say(row, name, words, sortValue) {
  const node = cell(row, name);
  if (!node) return;
  text(node, words);
  const holder = node.closest("td");
  if (sortValue !== undefined) attribute(holder, "data-sort", sortValue);
}

function update(summary) {
  const row = rowOf(summary.tournament);
  // What a row offers to do hangs on these two; the rest is only numbers.
  const { shown, full } = row?.dataset ?? {};
  const known = shown === summary.shown && full === String(summary.full);
  if (!known || rows.asks(summary.tournament)) return rows.ask(summary.tournament);
  say(row, "entrants", chips(summary.entrants), summary.entrants);
  say(row, "left", chips(summary.left));
  say(row, "level", String(summary.level));
  const pool = Math.max(summary.pool, summary.guarantee);
  say(row, "pool", money(pool), pool);
}

function compare(a, b) {
  const [x, y] = [Number(a), Number(b)];
  if (!Number.isNaN(x) && !Number.isNaN(y)) return x - y;
  return String(a).localeCompare(String(b), document.documentElement.lang);
}

function sort(column, direction) {
  const value = (row) =>
    row.cells[column]?.dataset.sort ?? row.cells[column]?.textContent.trim() ?? "";
  body.append(...[...body.rows].sort((a, b) => direction * compare(value(a), value(b))));
  headCells().forEach((head, index) =>
    attribute(
      head,
      "aria-sort",
      index === column ? (direction > 0 ? "ascending" : "descending") : null,
    ),
  );
}

// By the heads of the columns, or where a phone has none by a choice of their names.
function sortable(choice) {
  const by = (column, direction) => {
    sort(column, direction);
    choice.value = `${column} ${direction}`;
    if (choice.selectedIndex < 0) choice.value = "";
  };
  const keep = (column, direction) => {
    localStorage.setItem(SORT, JSON.stringify([column, direction]));
    by(column, direction);
  };
  const heads = headCells();
  heads.forEach((head, column) => {
    head.querySelector("button")?.addEventListener("click", () => {
      keep(column, head.getAttribute("aria-sort") === "ascending" ? -1 : 1);
    });
  });
  choice.addEventListener(
    "change",
    () => choice.value && keep(...choice.value.split(" ").map(Number)),
  );
  const kept = JSON.parse(localStorage.getItem(SORT) ?? "null");
  if (kept) by(...kept);
}

// A start still to come, within the hour.
function isSoon(row) {
  const left = Number(row.cells[0].dataset.sort) - now();
  return left > 0 && left <= SOON_MS;
}

const KINDS = { soon: isSoon, favourite: (row) => isFavourite(row.dataset.name) };

const isOfKind = (row, kind) =>
  kind in KINDS ? KINDS[kind](row) : !kind || row.dataset.kinds.split(" ").includes(kind);

// Hides the rows that do not fit, now and whenever the form changes; what to call for new rows.
function filter(form) {
  const none = /** @type {HTMLElement} */ (document.getElementById("lobby-none"));
  const apply = () => {
    star(body, apply);
    const words = form.elements.words.value.trim().toLowerCase();
    const kind = form.elements.kind.value;
    for (const row of body.rows)
      row.hidden = !((row.dataset.name ?? "").toLowerCase().includes(words) && isOfKind(row, kind));
    const all = [...body.rows];
    show(none, all.length > 0 && all.every((row) => row.hidden));
  };
  apply();
  form.addEventListener("input", apply);
  form.addEventListener("reset", () => setTimeout(apply));
  form.addEventListener("submit", (event) => event.preventDefault());
  none.querySelector("button")?.addEventListener("click", () => {
    form.reset();
    form.elements.words.focus();
  });
  return apply;
}

const rows = new LobbyRows(body, filter(document.getElementById("lobby-filter")));
line().follow("lobby", {
  snapshot: (state) => (state.tournaments ?? []).forEach(update),
  events: (events) =>
    events.forEach((event) => event.type === "tournament_summary" && update(event.summary)),
});
document.body.addEventListener(
  "room:mine",
  ({ detail }) => detail.tournament && rows.ask(detail.tournament, true),
);
sortable(document.querySelector("#lobby-filter [name=sort]"));
