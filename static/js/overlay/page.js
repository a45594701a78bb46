// The overlay of a stream: panels over a transparent page, fed by the two delayed streams of its
// link. Nothing here grows with the hours: nodes are kept by seat, and a hand replaces the last.

import { fetchDrawings } from "../cards/faces.js";
import { NO_CHANCES } from "../featured/chances.js";
import { ToldTable } from "../featured/told_table.js";
import { now, startTicking } from "../shared/clock.js";
import { attribute, byId, show, text } from "../shared/dom.js";
import { Line } from "../shared/socket.js";
import { TableModel } from "../state/table_model.js";
import { BoardPanel } from "./board_panel.js";
import { FieldPanels } from "./field_panels.js";
import { PlayerPanel } from "./player_panel.js";

const { token, tournament } = document.body.dataset;
// Facts are noted every ten seconds; older ones hide their clocks.
const FRESH_MS = 60_000;
const featured = `featured:${tournament}`;

const model = new TableModel(null);
const players = new PlayerPanel(byId("overlay-players"));
const board = new BoardPanel(byId("overlay-board"));
const field = new FieldPanels(byId("overlay-stage"));
/** @type {Wire.HandRetold | null} */
let retold = null;
let frame = 0;
/** @type {Wire.FieldFacts | null} */
let facts = null;

const told = new ToldTable(model, (begun) => {
  retold = begun;
});
model.addEventListener("change", () => (frame ||= requestAnimationFrame(draw)));

function draw() {
  frame = 0;
  const { state, moment } = model;
  const chances = told.chances ?? NO_CHANCES;
  players.update(state, moment, chances);
  board.update(state, moment, chances, retold);
  // The event that is shown, for whoever measures the page.
  attribute(byId("overlay-stage"), "data-at", line.streams.get(featured)?.last);
}

/** @param {Wire.FieldFacts} news */
function tellFacts(news) {
  facts = news;
  field.update(news);
  age();
}

function age() {
  attribute(byId("overlay-stage"), "data-stale", !facts || now() - facts.due_ms > FRESH_MS);
}

// The link's own connection; what it may follow ends with the link.
function connect() {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const line = new Line(`${scheme}//${location.host}/ws/v1/overlay/${token}/`);
  line.addEventListener("line", (event) => {
    const { bye } = /** @type {CustomEvent} */ (event).detail;
    show(byId("overlay-stage"), bye?.code !== "link_revoked");
    text(byId("overlay-state"), bye?.message ?? "");
  });
  line.follow(featured, told);
  line.follow(`field:${tournament}`, {
    snapshot: (state) => state.facts && tellFacts(state.facts),
    events: (events) => events.length && tellFacts(events.at(-1)),
  });
  line.open();
  return line;
}

startTicking();
fetchDrawings();
setInterval(age, 5_000);
const line = connect();
