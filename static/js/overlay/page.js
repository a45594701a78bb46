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

const { token, tournament, revoked: revokedWords = "" } = document.body.dataset;
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
let isRevoked = false;
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

// A link that was revoked while nothing was heard is refused in the handshake, which looks like a
// lost network from here. The page itself is missing then; what a proxy answers says nothing.
async function isMissing() {
  const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
  return answer?.ok || answer?.status === 404 ? !answer.ok : isRevoked;
}

/** @param {Wire.Bye | null | undefined} bye */
function tellState(bye) {
  show(byId("overlay-stage"), !isRevoked);
  text(byId("overlay-state"), isRevoked ? revokedWords : (bye?.message ?? ""));
}

// The link's own connection; what it may follow ends with the link.
function connect() {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const line = new Line(`${scheme}//${location.host}/ws/v1/overlay/${token}/`);
  line.addEventListener("line", async ({ detail: { state, attempt, bye } }) => {
    if (state === "open") isRevoked = false;
    if (bye?.code === "link_revoked") isRevoked = true;
    tellState(bye);
    if (state !== "lost" || attempt < 2) return;
    const missing = await isMissing();
    if (line.state === "open") return;
    isRevoked = missing;
    tellState(bye);
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
