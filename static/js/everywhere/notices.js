// The player's own notices: starts soon, seated, moved, knocked out, prize, paused, cancelled.

import { count, money, ordinal } from "../shared/format.js";
import { gettext, interpolate, region } from "../shared/i18n.js";
import { sound } from "../shared/sounds.js";
import { tell } from "../shared/toasts.js";
import { whyWords } from "../state/words.js";
import { showsEnd } from "./end_panel.js";
import { MyTables } from "./my_tables.js";
import * as offers from "./offers.js";
import { isNewWindow, noteKnown } from "./opening.js";
import { seatsAre } from "./own_seats.js";
import { freedWords, stackWords, tooLittle } from "./ring_words.js";
import { moved, seated, seatsFound, shownTable, tableAddress } from "./seat_ways.js";
import { Starts } from "./soon.js";

/** @typedef {import("../shared/socket.js").Line} Line */

/** @type {(event: {tournament: number}) => {href: string, words: string}} */
const tournamentLink = (event) => ({
  href: `/tournaments/${event.tournament}/`,
  words: gettext("To the tournament"),
});

/** @type {(event: {game: number}) => {href: string, words: string}} */
const ringLink = ({ game }) => ({ href: `/ring/${game}/`, words: gettext("To the ring game") });

/** @param {Wire.PrizeWon} event */
function prize(event) {
  if (showsEnd(event)) return sound("win");
  const facts = { place: ordinal(event.place), name: event.name, prize: money(event.prize) };
  const words = event.ticket
    ? interpolate(gettext("You finished %(place)s in %(name)s and win a ticket: %(prize)s."), facts)
    : interpolate(gettext("You finished %(place)s in %(name)s and win %(prize)s."), facts);
  const link = { href: "/wallet/", words: gettext("To the wallet") };
  tell(gettext("Prize"), words, { kind: "good", link, stays: 0, tone: "win" });
}

/** @param {Wire.BountyNotice} event */
function bounty(event) {
  const amounts = { player: event.player, amount: money(event.amount), head: money(event.on_head) };
  const words = [event.name];
  if (event.later) words.push(gettext("paid at the end"));
  if (event.on_head)
    words.push(interpolate(gettext("%(head)s more are on your own head"), amounts));
  const title = event.player
    ? interpolate(gettext("You knocked out %(player)s for %(amount)s"), amounts)
    : interpolate(gettext("Bounties paid: %(amount)s"), amounts);
  tell(title, words.join(" · "), { kind: "good" });
}

/** @param {Wire.KnockedOut} event */
function knockedOut(event) {
  if (showsEnd(event)) return sound("notice");
  const place = event.place
    ? interpolate(gettext("Place %(place)s in %(name)s."), {
        place: count(event.place),
        name: event.name,
      })
    : event.name;
  tell(gettext("You are out"), place, { link: tournamentLink(event), stays: 0 });
}

// The table and the page of the pool follow by themselves; every other page shows the way.
/** @param {Wire.RapidDealtIn} event */
function dealtIn(event) {
  if (shownTable() || document.querySelector(".pool-place")) return;
  tell(gettext("You are in a hand"), event.name, {
    link: { href: tableAddress(event.table), words: gettext("To my hand") },
    stays: 0,
  });
}

/** @param {Wire.TicketIssued} event */
function ticket(event) {
  const words = interpolate(gettext("Worth %(amount)s, for %(scope)s"), {
    amount: money(event.value),
    scope: event.scope,
  });
  const link = { href: "/tickets/", words: gettext("To my tickets") };
  tell(gettext("You have a ticket"), words, { kind: "good", link, stays: 0 });
}

/** @type {() => Record<string, string>} */
const TICKET_ENDS = () => ({
  expired: gettext("A ticket has expired"),
  withdrawn: gettext("A ticket was withdrawn"),
  exchanged: gettext("A ticket became money"),
});

/** @type {{[Type in Wire.UserEvent["type"]]?: (event: Extract<Wire.UserEvent, {type: Type}>) => unknown}} */
const NOTICES = {
  ticket_issued: ticket,
  ticket_closed: (event) =>
    tell(
      TICKET_ENDS()[event.state] ?? "",
      interpolate(gettext("Worth %(amount)s, for %(scope)s"), {
        amount: money(event.value),
        scope: event.scope,
      }),
    ),
  invited: (event) =>
    tell(gettext("You are invited"), `${event.name} · ${event.club}`, {
      kind: "good",
      link: tournamentLink(event),
      stays: 0,
    }),
  offer_made: offers.show,
  offer_ended: offers.ended,
  seated: (event) => seated(event.table, event),
  moved,
  knocked_out: knockedOut,
  bounty,
  prize,
  deals_open: (event) =>
    tell(gettext("Deals are possible"), event.name, { link: tournamentLink(event) }),
  deal_vote: (event) =>
    tell(
      gettext("Vote on a deal"),
      interpolate(gettext("%(name)s: your share would be %(share)s."), {
        name: event.name,
        share: money(event.share),
      }),
      { stays: 0 },
    ),
  tournament_over: (event) =>
    showsEnd(event) ||
    tell(
      gettext("The tournament is over"),
      interpolate(gettext("Place %(place)s in %(name)s."), { ...event, place: count(event.place) }),
      { link: tournamentLink(event), stays: 0 },
    ),
  named_prize: (event) =>
    tell(
      gettext("Prize"),
      interpolate(gettext("You finished %(place)s in %(name)s and win: %(prize)s."), {
        ...event,
        place: ordinal(event.place),
      }),
      { kind: "good", link: tournamentLink(event), stays: 0, tone: "win" },
    ),
  ring_seat_offered: (event) =>
    tell(
      gettext("A seat is free for you"),
      interpolate(gettext("%(name)s, table %(number)s: take it until %(time)s."), {
        name: event.name,
        number: event.number,
        time: new Date(event.until_ms).toLocaleTimeString(region),
      }),
      { kind: "good", link: ringLink(event), stays: 0 },
    ),
  ring_wait_ended: (event) =>
    tell(
      gettext("You wait for no seat any more"),
      interpolate(
        event.reason === "closed"
          ? gettext("%(name)s closes.")
          : gettext("%(name)s: the time to take the seat is over."),
        { name: event.name },
      ),
      { link: ringLink(event), stays: 0 },
    ),
  ring_top_up_missed: (event) =>
    tell(
      gettext("Auto top-up is off"),
      interpolate(tooLittle(event), {
        name: event.name,
        balance: money(event.balance),
        left: money(event.left ?? 0),
      }),
      { link: ringLink(event), stays: 0 },
    ),
  rapid_dealt_in: dealtIn,
  ring_seat_freed: (event) =>
    tell(
      gettext("Your seat is free"),
      [event.name, freedWords()[event.reason], stackWords(event)].filter(Boolean).join(" · "),
      { link: ringLink(event), stays: 0 },
    ),
  jackpot_fell: (event) =>
    tell(
      event.amount
        ? interpolate(gettext("You win %(amount)s of a jackpot"), { amount: money(event.amount) })
        : gettext("A jackpot has fallen"),
      interpolate(gettext("%(name)s: %(pool)s were in the pool."), {
        name: event.name,
        pool: money(event.pool),
      }),
      {
        kind: "good",
        link: { href: "/ring/jackpots/", words: gettext("To the jackpots") },
        stays: 0,
        ...(event.amount ? { tone: "win" } : {}),
      },
    ),
  warned: () =>
    tell(gettext("The room has warned you"), gettext("Read why, and what follows from it."), {
      kind: "error",
      link: { href: "/account/warnings/", words: gettext("To the warning") },
      stays: 0,
    }),
  room_says: (event) => tell(event.name, event.text, { link: tournamentLink(event), stays: 0 }),
  unregistered: (event) =>
    event.reason &&
    tell(
      event.left
        ? gettext("One of your entries was taken out")
        : gettext("You are no longer registered"),
      withWhy(interpolate(whatCameBack(event), facts(event)), event.reason),
      { link: tournamentLink(event), stays: 0 },
    ),
  disqualified: (event) =>
    tell(gettext("Disqualified"), `${event.name}: ${event.reason}`, {
      link: tournamentLink(event),
      stays: 0,
    }),
  tournament_paused: (event) =>
    tell(gettext("Paused after the hand"), withWhy(event.name, event.reason)),
  tournament_resumed: (event) => tell(gettext("The tournament goes on"), event.name),
  tournament_cancelled: (event) =>
    tell(
      gettext("Tournament cancelled"),
      withWhy(interpolate(whatCameBack(event), facts(event)), event.reason),
      { stays: 0 },
    ),
};

/** @type {(words: string, reason: string) => string} */
const withWhy = (words, reason) => [words, whyWords(reason)].filter(Boolean).join(" · ");

/** @typedef {{ name: string, refund: number, ticket?: number }} Refunded */

/** @type {(event: Refunded) => Record<string, string>} */
const facts = ({ name, refund, ticket = 0 }) => ({
  name,
  refund: money(refund),
  ticket: money(ticket),
});

// What came back for an entry: money, a ticket, both, or nothing as it cost nothing.
/** @type {(event: Refunded) => string} */
function whatCameBack({ refund, ticket }) {
  if (ticket && refund)
    return gettext("%(name)s: your ticket worth %(ticket)s and %(refund)s are back.");
  if (ticket) return gettext("%(name)s: your ticket worth %(ticket)s is back.");
  if (refund) return gettext("%(name)s: %(refund)s are back in your account.");
  return "%(name)s";
}

const MONEY = new Set([
  "offer_ended",
  "registered",
  "unregistered",
  "prize",
  "bounty",
  "ticket_closed",
  "ring_seat_freed",
  "jackpot_fell",
  "tournament_cancelled",
]);

/** @type {(line: Line, user: string) => void} */
export function followNotices(line, user) {
  const starts = new Starts(user);
  const tables = new MyTables(line, user, shownTable());
  let isFirst = true;
  // A new window that is left before its first news is as new on its next page.
  const leave = () => (isFirst && isNewWindow()) || noteKnown();
  window.addEventListener("pagehide", leave);
  line.follow(`user:${user}`, {
    snapshot: (state) => {
      starts.know(state.starts ?? []);
      tables.know(state.seats);
      seatsAre(state.seats);
      offers.know(state.offers ?? []);
      seatsFound(state.seats, isFirst);
      isFirst = false;
      noteKnown();
    },
    events: (events) => {
      if (events.length) noteKnown();
      for (const event of events) {
        starts.hear(event);
        tables.hear(event);
        /** @type {((event: any) => unknown) | undefined} */
        const notice = NOTICES[/** @type {Wire.UserEvent["type"]} */ (event.type)];
        notice?.(event);
        if (MONEY.has(event.type)) document.body.dispatchEvent(new Event("room:money"));
        document.body.dispatchEvent(new CustomEvent("room:mine", { detail: event }));
      }
    },
  });
}
