// The page around a table: gives the element its streams, follows its player to another table.

import "./poker_table.js";
import { heardOfField, keepEnd, renewEnd } from "../everywhere/end_panel.js";
import { leaveAfterDialog } from "../everywhere/leaving.js";
import { noteTurnHeard } from "../everywhere/turn_sound.js";
import { offerOwnWords } from "../fair/own_words.js";
import { gettext } from "../shared/i18n.js";
import { titleTurn } from "../shared/page_title.js";
import { line } from "../shared/socket.js";
import { soundsOn, switchSounds } from "../shared/sounds.js";
import { tell, toast, toastMessages } from "../shared/toasts.js";
import { logLines } from "../state/log_lines.js";
import { cutAhead } from "./cut_ahead.js";
import { Cutter } from "./cutter.js";
import { keepDeal, renewDeal } from "./deal_panel.js";
import { Faces } from "./faces.js";
import { FieldWatch } from "./field_watch.js";
import { keepShields } from "./hand_shields.js";
import { offerLook } from "./look.js";
import { keepWay } from "./make_way.js";
import { Noter } from "./noter.js";
import { keepChat } from "./own_chat.js";
import { keepOwnHands } from "./own_hands.js";
import { followPool } from "./rapid_follow.js";
import { keepRing } from "./ring_panel.js";
import { watchArrival } from "./seat/arrival.js";
import { offerLeaving } from "./seat/leave_button.js";
import { offerRebuy } from "./seat/rebuy_button.js";
import { keepSeatMenu } from "./seat_menu.js";
import { SpinDrum } from "./spin_drum.js";

const RANK_EVERY_MS = 15_000;
// After these the panel of the deal shows something else.
const DEALING = new Set([
  ...["deal_proposed", "deal_opened", "deal_voted", "deal_refused", "deal_agreed"],
  ...["final_table", "player_out", "started", "finished", "pool_fixed", "table_closed"],
]);
const BROKEN = new Set(["silent", "lost", "stopped"]);
const room = /** @type {import("./poker_table.js").PokerTable} */ (
  document.querySelector("poker-table")
);
const { model } = room;
const { table, tournament, ring, rapid, user } = room.dataset;
const connection = line();
const drum = new SpinDrum(room.area);
const cutter = new Cutter(connection);
const noter = new Noter(connection);
let rankAsked = 0;
// Whether a hand may change what the seat can buy, or what leaving pays: the page says so at first.
let sells = document.querySelector("#end-panel[data-sells]") !== null;
/** @type {FieldWatch | null} */
let fieldWatch = null;
let taken = false;
let isClosed = false;

async function myStanding() {
  if (!tournament || !user) return null;
  const answer = await fetch(`/tournaments/${tournament}/seat/?table=${table}`);
  return answer.ok ? answer.json() : null;
}

// The seat here is gone, or never was: go after it, or offer the way to it.
/** @param {boolean} had */
async function seekSeat(had) {
  const mine = (await myStanding().catch(() => null))?.table;
  if (!mine || mine === Number(table) || model.seat) return;
  const href = `/tables/${mine}/`;
  // A window that only watches stays: the one that plays goes after the seat.
  if (had && !taken) leaveAfterDialog(href);
  else
    toast({
      title: gettext("You play at another table"),
      link: { href, words: gettext("To my table") },
      stays: 0,
    });
}

function takenOver() {
  taken = true;
  cutter.takenOver();
  room.toggleAttribute("data-watches", true);
  model.stale = true;
  model.dispatchEvent(new Event("change"));
  offerTable();
}

// The table is played by another window, or by none any more: this one takes it when asked to.
function offerTable() {
  const nowhere = Boolean(model.seat && model.disconnected.has(model.seat.entry));
  const words = nowhere
    ? gettext("You play this table in no window now.")
    : gettext("You play this table in another window.");
  room.note(words, gettext("Play here"), () => followTable({ take: true }));
  if (document.activeElement === document.body) room.notice.querySelector("button")?.focus();
}

// The room waits for cuts: they are made when their events come, not when the felt shows them.
/** @param {any} event */
function heardOfCut(event) {
  const arrives = event.type === "seat_taken" && event.user === Number(user);
  const own = arrives ? event : model.seat;
  if (!own || !model.state || taken) return noter.forget();
  cutter.heard(event, model.state, own);
  noter.heard(event, model.state, own);
}

function followTable({ take = false } = {}) {
  room.note("");
  taken = false;
  room.toggleAttribute("data-watches", false);
  /** @type {import("../shared/socket.js").StreamHandler} */
  const handler = {
    snapshot: (state) => {
      model.snapshot(state);
      model.stale = taken;
      if (!model.seat || taken) return noter.forget();
      cutter.shown(state, model.seat);
      noter.shown(state, model.seat);
    },
    events: (events) => {
      model.stale = taken;
      model.events(events);
      for (const event of events) heardOfCut(event);
    },
    taken_over: takenOver,
    disconnected: (entries) => {
      model.lines(entries);
      if (taken) offerTable();
    },
    refused: (message) =>
      message.code === "no_such_stream" ? closed() : room.note(message.message),
  };
  connection.follow(`table:${table}`, handler, { take });
}

// The title names the own turn, also in a window that only watches.
function watchTurn() {
  model.addEventListener("change", () => {
    const mine = model.seat && model.turn?.seat === model.seat.seat;
    titleTurn(Number(table), mine && (taken || !model.stale) ? gettext("Your turn") : "");
  });
  model.addEventListener("happened", ({ detail: { event } }) => {
    if (event.type !== "turn_began" || event.seat !== model.seat?.seat) return;
    noteTurnHeard(`${table}:${model.state?.epoch}:${event.hand}:${event.turn}`);
  });
}

// Deals are made at the last table: the others need not ask. An event may close the last but one.
/** @type {(event?: {type: string}) => boolean} */
const isLast = (event) => (model.field?.tables ?? 1) - Number(event?.type === "table_closed") <= 1;

function followField() {
  if (!tournament) return;
  fieldWatch = new FieldWatch(connection, tournament, model, {
    happened: (event) => {
      heardOfField(event);
      if (event.type === "spin_drawn") drum.show(event.spin);
      if (DEALING.has(event.type) && isLast(event)) renewDeal();
    },
    opened: (state) => {
      if (isLast()) renewDeal();
      if (model.field?.over) renewEnd();
      askRank();
      drum.show(state.overview.spin);
    },
  });
  fieldWatch.follow();
}

const hasEnded = () => Boolean(model.field?.over || model.field?.cancelled);

// A tournament that has ended has no other table to go to.
/** @returns {[string, string]} */
function wayOn() {
  if (rapid) return [gettext("To the ring game"), `/ring/pools/${rapid}/`];
  if (!tournament) return [gettext("To the ring game"), `/ring/${ring}/`];
  return hasEnded()
    ? [gettext("To the tournament"), `/tournaments/${tournament}/`]
    : [gettext("To another table"), `/tournaments/${tournament}/watch/`];
}

function closed() {
  if (!tournament && !ring && !rapid) return;
  isClosed = true;
  const why = model.field?.cancelled
    ? gettext("The tournament is cancelled")
    : gettext("This table is closed.");
  const [words, address] = wayOn();
  room.note(why, words, () => location.assign(address));
}

// The end fixes the place, whatever the rank was before.
async function askPlace() {
  const standing = await myStanding().catch(() => null);
  if (standing?.place && model.field) model.tell({ ...model.field, my_place: standing.place });
}

// The end of the tournament may be told after that of its table.
function watchEnd() {
  let ended = false;
  model.addEventListener("change", () => {
    if (ended || !hasEnded()) return;
    ended = true;
    if (model.field?.over) askPlace();
    if (isClosed) closed();
  });
}

/** @param {Wire.TableLevelBegan} event */
function levelUp(event) {
  const [title] = model.state ? logLines(model.state, event) : [];
  if (!title) return;
  if (model.seat) tell(title);
  else toast({ title });
}

// The own rank is not on a stream: asked for once seat and field are known, whichever comes last,
// and after a hand, not too often.
async function askRank() {
  if (!user || !model.seat || !model.field || Date.now() - rankAsked < RANK_EVERY_MS) return;
  rankAsked = Date.now();
  if (!sells) {
    // The others' stacks are those of before the hand, too.
    fieldWatch?.askRank(model.seat.chips + model.seat.bet);
    return;
  }
  const standing = await myStanding().catch(() => null);
  if (!standing || !model.seat) return;
  sells = standing.sells;
  offerRebuy(tournament, standing.rebuy);
  offerLeaving(tournament, standing.leave);
  model.tell({ ...model.field, my_rank: standing.rank, average_chips: standing.average });
}

// What only a seat may buy or leave goes with it.
function seatGone() {
  rankAsked = 0;
  offerRebuy(tournament, null);
  offerLeaving(tournament, null);
}

function watchSeat() {
  let had = false;
  let looked = false;
  // A window that had a seat is led to the next one (seat_ways.js).
  const note = (/** @type {boolean} */ has) => {
    had = has;
    if (has) room.dataset.had = "";
  };
  model.addEventListener("happened", ({ detail: { event } }) => {
    if (event.type === "seat_left" && had && !model.seat) {
      had = false;
      seatGone();
      if (event.to_table && !taken) leaveAfterDialog(`/tables/${event.to_table}/`);
    }
    note(had || Boolean(model.seat));
    if (event.type === "table_closed" && !model.seat) closed();
    if (event.type === "hand_ended") askRank();
    if (event.type === "level_began" && event.level > 1) levelUp(event);
  });
  model.addEventListener("snapshot", () => {
    if (model.state?.closed && !model.seat) closed();
    if (!model.seat && user && (had || !looked)) seekSeat(had);
    if (!model.seat && had) seatGone();
    looked = true;
    note(Boolean(model.seat));
    askRank();
  });
}

room.send = (message) => connection.command(message);
connection.addEventListener("line", ({ detail }) => {
  if (detail.state === "answers") model.stale = taken;
  else if (BROKEN.has(detail.state)) model.stale = true;
  else return;
  model.dispatchEvent(new Event("change"));
});
model.addEventListener("change", () => {
  connection.urgent = Boolean(model.seat && model.turn?.seat === model.seat.seat);
});
watchSeat();
watchEnd();
watchTurn();
watchArrival(room, Number(table), () => taken);
followTable();
followField();
keepDeal(model);
keepRing(room, model, (session) => cutter.pledgeAhead(session));
keepChat(room, model, connection);
keepWay(room, model, () => room.log.close());
keepSeatMenu(room);
new Faces(room);
keepOwnHands(room);
followPool(room, model, (next) => cutAhead(connection, cutter, Number(user), next));
keepShields(room.log, model, table, connection);
keepEnd();
toastMessages();

const switcher = /** @type {HTMLInputElement} */ (document.getElementById("sound-switch"));
const help = /** @type {HTMLDialogElement} */ (document.getElementById("table-help"));
offerLook(/** @type {HTMLFormElement | null} */ (document.getElementById("table-look")));
offerOwnWords(/** @type {HTMLInputElement} */ (document.getElementById("own-seed")));
switcher.checked = soundsOn();
switcher.addEventListener("change", () => switchSounds(switcher.checked));
document.getElementById("help-button")?.addEventListener("click", () => help.showModal());
