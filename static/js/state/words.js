// Events in words: actions, waiting reasons, and the rows of the log.

import { decidedByKicker } from "../cards/best_five.js";
import { cardSigns } from "../cards/faces.js";
import { kickerWords, lowWords, madeWords } from "../cards/hand_words.js";
import { chips, decimal, playsForMoney } from "../shared/format.js";
import { gettext, interpolate, ngettext } from "../shared/i18n.js";

/** @type {(number: number) => {amount: string}} */
const amount = (number) => ({ amount: chips(number) });

/** @type {(action: {kind: string, all_in?: boolean}) => string} */
export function actionWords(action) {
  if (action.all_in) return gettext("All-in");
  /** @type {Record<string, string>} */
  const words = {
    folded: gettext("Fold"),
    checked: gettext("Check"),
    called: gettext("Call"),
    bet: gettext("Bet"),
    raised: gettext("Raise"),
    ante: gettext("Ante"),
    small_blind: gettext("Small blind"),
    big_blind: gettext("Big blind"),
    straddle: gettext("Straddle"),
    bring_in: gettext("Bring-in"),
    dead: gettext("Dead post"),
    penalty: gettext("Penalty"),
    live: gettext("Live post"),
  };
  return words[action.kind] ?? "";
}

// The game by its name; five-card Omaha says how many cards count of hand and board (O-02).
/** @type {(variant: string | null) => string} */
export function gameWords(variant) {
  /** @type {Record<string, string>} */
  const words = {
    holdem: gettext("Hold'em"),
    omaha: gettext("Omaha"),
    omaha5: gettext("5-Card Omaha (2+3)"),
    omaha5_house: gettext("5-Card Omaha (3+2)"),
    omaha_hilo: gettext("Omaha Hi-Lo"),
    omaha5_hilo: gettext("5-Card Omaha Hi-Lo (2+3)"),
    stud: gettext("Seven Card Stud"),
    stud_hilo: gettext("Seven Card Stud Hi-Lo"),
  };
  return words[variant ?? ""] ?? "";
}

/** @type {(reason: string | null) => string} */
export function waitingWords(reason) {
  /** @type {Record<string, string>} */
  const words = {
    players: gettext("Waiting for players"),
    balancing: gettext("Tables are being balanced"),
    hand_for_hand: gettext("Hand for hand: waiting for the other tables"),
    paused: gettext("The tournament is paused"),
    break: gettext("Break"),
    final_table: gettext("The final table is being drawn"),
    rebuy: gettext("Waiting for a re-buy"),
    settling: gettext("The hand is being settled"),
    starting: gettext("The tournament is about to start"),
    time_up: gettext("Time is up: the other tables finish their hand"),
    deal: gettext("The players vote on a deal"),
    next_round: gettext("Table won: the next round starts when all tables are done"),
  };
  return words[reason ?? ""] ?? "";
}

// Why the room stopped or cancelled a tournament: its own reasons in words, others as written.
/** @type {(reason: string | null | undefined) => string} */
export function whyWords(reason) {
  const words = new Map([
    ["frozen", gettext("A fault is being mended; all tables go on together.")],
    ["too few players", gettext("Too few players were registered.")],
    ["not opened", gettext("Registration was not opened in time.")],
  ]);
  return words.get(reason ?? "") ?? reason ?? "";
}

/** @type {(street: string) => string} */
function streetWords(street) {
  /** @type {Record<string, string>} */
  const words = {
    preflop: gettext("Before the flop"),
    flop: gettext("Flop"),
    turn: gettext("Turn"),
    river: gettext("River"),
    third: gettext("Third street"),
    fourth: gettext("Fourth street"),
    fifth: gettext("Fifth street"),
    sixth: gettext("Sixth street"),
    seventh: gettext("Seventh street"),
  };
  return words[street] ?? "";
}

/** @type {(key: string) => string} */
export function presetWords(key) {
  /** @type {Record<string, string>} */
  const words = {
    min: gettext("Min"),
    x22: `${decimal(2.2)}×`,
    x25: `${decimal(2.5)}×`,
    x3: "3×",
    half: "½",
    two_thirds: "⅔",
    pot: gettext("Pot"),
    most: gettext("Max"),
    all_in: gettext("All-in"),
  };
  return words[key];
}

// A blind that another seat than that of the blind pays is a post to come in, or a missed blind.
/** @type {(state: Wire.TableSnapshot, post: {seat: number, kind: string}) => string} */
export function postKind(state, { seat, kind }) {
  const isBlind = kind === "small_blind" || kind === "big_blind";
  return isBlind && state[kind] !== seat ? "live" : kind;
}

/** @type {() => Record<string, string>} */
const posts = () => ({
  ante: gettext("%(name)s posts the ante of %(amount)s"),
  small_blind: gettext("%(name)s posts the small blind of %(amount)s"),
  big_blind: gettext("%(name)s posts the big blind of %(amount)s"),
  straddle: gettext("%(name)s straddles with %(amount)s"),
  bring_in: gettext("%(name)s brings in with %(amount)s"),
  dead: gettext("%(name)s posts %(amount)s dead"),
  penalty: gettext("%(name)s pays a penalty of %(amount)s into the pot"),
  live: gettext("%(name)s posts %(amount)s live"),
});

// What a level is called by: its blinds, in stud its bets.
/** @type {(stakes: Wire.Stakes) => {small: string, big: string}} */
function bets({ small_blind, big_blind, small_bet, big_bet }) {
  const [small, big] = big_blind ? [small_blind, big_blind] : [small_bet, big_bet];
  return { small: chips(small), big: chips(big) };
}

// A game for money has stakes and no levels.
/** @type {(level: number, hasBlinds: boolean) => string} */
function levelWords(level, hasBlinds) {
  if (playsForMoney || !level)
    return hasBlinds ? gettext("Blinds %(small)s/%(big)s") : gettext("Bets %(small)s/%(big)s");
  return hasBlinds
    ? gettext("Level %(level)s: blinds %(small)s/%(big)s")
    : gettext("Level %(level)s: bets %(small)s/%(big)s");
}

/** @type {() => Record<string, string>} */
const leaves = () => ({
  moved: gettext("%(name)s moves to another table"),
  knocked_out: gettext("%(name)s is out"),
  closed: gettext("%(name)s leaves, the table is closed"),
  disqualified: gettext("%(name)s is disqualified"),
  left: gettext("%(name)s leaves"),
});

/** @type {(event: {all_in: boolean}, words: string) => string} */
const allIn = (event, words) => (event.all_in ? `${words} – ${gettext("all-in")}` : words);

/**
 * @type {{[Type in Wire.TableEvent["type"]]?: (event: Extract<Wire.TableEvent, {type: Type}>,
 *   name: string, nameOf: (seat: number) => string) => string}}
 */
const LINES = {
  hand_began: (event) => interpolate(gettext("Hand %(hand)s"), event),
  posted: (event, name) =>
    allIn(
      event,
      interpolate(posts()[event.kind] ?? gettext("%(name)s posts %(amount)s"), {
        name,
        ...amount(event.amount),
      }),
    ),
  folded: (_, name) => interpolate(gettext("%(name)s folds"), { name }),
  checked: (_, name) => interpolate(gettext("%(name)s checks"), { name }),
  called: (event, name) =>
    allIn(
      event,
      interpolate(gettext("%(name)s calls %(amount)s"), { name, ...amount(event.amount) }),
    ),
  bet: (event, name) =>
    allIn(
      event,
      interpolate(gettext("%(name)s bets %(amount)s"), { name, ...amount(event.amount) }),
    ),
  raised: (event, name) =>
    allIn(
      event,
      interpolate(gettext("%(name)s raises to %(amount)s"), { name, ...amount(event.to) }),
    ),
  uncalled_returned: (event, name) =>
    interpolate(gettext("Uncalled bet %(amount)s returned to %(name)s"), {
      name,
      ...amount(event.amount),
    }),
  street_dealt: (event) =>
    [streetWords(event.street), event.cards.map(cardSigns).join(" ")].filter(Boolean).join(": "),
  rake_taken: (event) =>
    interpolate(gettext("The room takes %(amount)s of the pot"), amount(event.amount)),
  cards_shown: (event, name) => {
    const cards = event.cards.map(cardSigns).join(" ");
    const made = [madeWords(event.made), lowWords(event.low)].filter(Boolean).join(", ");
    return made
      ? interpolate(gettext("%(name)s shows %(cards)s: %(made)s"), { name, cards, made })
      : interpolate(gettext("%(name)s shows %(cards)s"), { name, cards });
  },
  mucked: (_, name) => interpolate(gettext("%(name)s mucks"), { name }),
  timed_out: (_, name) => interpolate(gettext("%(name)s ran out of time"), { name }),
  time_bank_started: (_, name) => interpolate(gettext("%(name)s uses the time bank"), { name }),
  seat_taken: (event) =>
    interpolate(gettext("%(name)s sits down with %(amount)s"), {
      name: event.name,
      ...amount(event.chips),
    }),
  seat_left: (event, name) => interpolate(leaves()[event.reason] ?? leaves().left, { name }),
  chips_bought: (event, name) =>
    interpolate(gettext("%(name)s adds %(amount)s"), { name, ...amount(event.chips) }),
  sat_out: (_, name) => interpolate(gettext("%(name)s is away"), { name }),
  came_back: (_, name) => interpolate(gettext("%(name)s is back"), { name }),
  dealt_in: (_, name) => interpolate(gettext("%(name)s is dealt in"), { name }),
  button_drawn: (event, _, nameOf) =>
    interpolate(
      event.cards.length
        ? gettext("High card for the button: %(name)s")
        : gettext("The lot gives the button to %(name)s"),
      { name: nameOf(event.button) },
    ),
  level_began: ({ level, stakes }) =>
    interpolate(levelWords(level, stakes.big_blind > 0), { level, ...bets(stakes) }),
  table_waiting: (event) => waitingWords(event.reason),
  cut_called: ({ seal }) =>
    interpolate(gettext("The deck is sealed: %(seal)s"), { seal: seal.slice(0, 16) }),
  deck_cut: ({ cuts }) => cutWords(cuts.map(([, state]) => state)),
  hand_voided: () => gettext("A fault ended the hand: all chips are as before it"),
  deck_opened: (event) =>
    interpolate(gettext("Hand %(hand)s was not dealt: its sealed deck is opened"), event),
  table_closed: () => gettext("The table is closed"),
};

// States of a cut: 0 no pledge, 1 silent, 2 opened in time, 3 too late.
/** @type {(states: number[]) => string} */
function cutWords(states) {
  const count = states.filter((state) => state === 2).length;
  if (!states.some(Boolean))
    return gettext("Nobody had pledged a cut yet: the room alone shuffled the deck");
  if (!count) return gettext("No cut came in time: the room alone shuffled the deck");
  return interpolate(
    ngettext("%(count)s player cut the deck", "%(count)s players cut the deck", count),
    { count },
  );
}

/** @type {(state: Wire.TableSnapshot, event: Wire.PotAwarded, nameOf: (seat: number) => string) => string[]} */
function awarded(state, event, nameOf) {
  const pot =
    event.pot === 0
      ? gettext("the pot")
      : interpolate(gettext("side pot %(number)s"), { number: event.pot });
  const decided = decidedByKicker(state, event);
  const isTold = (state.log ?? []).some((told) => told.type === "rake_taken");
  const rake = isTold || !event.rake ? [] : [rakeWords(event.rake, pot)];
  return [...rake, ...winnerWords(event, decided, nameOf, pot)];
}

/** @type {(rake: number, pot: string) => string} */
const rakeWords = (rake, pot) =>
  interpolate(gettext("Rake: %(amount)s (%(pot)s)"), { pot, ...amount(rake) });

/** @type {(event: Wire.PotAwarded, decided: ReturnType<typeof decidedByKicker>, nameOf: (seat: number) => string, pot: string) => string[]} */
function winnerWords(event, decided, nameOf, pot) {
  return event.winners.map(({ seat, amount: sum }) => {
    const facts = { name: nameOf(seat), pot, ...amount(sum) };
    if (!decided[seat]) return interpolate(gettext("%(name)s wins %(amount)s (%(pot)s)"), facts);
    const hand = kickerWords(madeWords(decided[seat].made), decided[seat].kicker);
    return interpolate(gettext("%(name)s wins %(amount)s (%(pot)s) with %(hand)s"), {
      ...facts,
      hand,
    });
  });
}

/** @type {(event: Wire.HandsRevealed, nameOf: (seat: number) => string) => string[]} */
const revealed = ({ hands }, nameOf) =>
  hands.map(([seat, cards]) =>
    interpolate(gettext("%(name)s turns up %(cards)s"), {
      name: nameOf(seat),
      cards: cards.map(cardSigns).join(" "),
    }),
  );

/** @type {(state: Wire.TableSnapshot, event: Wire.DisconnectTimeStarted, nameOf: (seat: number) => string) => string} */
const lostWords = ({ turn }, { seat, deadline_ms }, nameOf) =>
  interpolate(gettext("%(name)s lost the connection: %(seconds)s s more"), {
    name: nameOf(seat),
    seconds: turn ? Math.round((deadline_ms - turn.deadline_ms) / 1000) : "",
  });

// The log's lines for one event; `state` is the table before it.
/** @type {(state: Wire.TableSnapshot, event: Wire.TableEvent) => string[]} */
export function logLines(state, told) {
  const event = told.type === "posted" ? { ...told, kind: postKind(state, told) } : told;
  /** @type {(seat: number) => string} */
  const nameOf = (seat) =>
    state.seats.find((other) => other.seat === seat)?.name ??
    interpolate(gettext("Seat %(seat)s"), { seat });
  if (event.type === "pot_awarded") return awarded(state, event, nameOf);
  if (event.type === "hands_revealed") return revealed(event, nameOf);
  if (event.type === "disconnect_time_started") return [lostWords(state, event, nameOf)];
  /** @type {((event: any, name: string, of: typeof nameOf) => string) | undefined} */
  const line = LINES[event.type];
  const name = "seat" in event && event.seat ? nameOf(event.seat) : "";
  return line ? [line(event, name, nameOf)] : [];
}

// News of the tournament that a table should hear of; "" for the rest.
/** @type {(event: any) => string} */
export function fieldWords(event) {
  /** @type {Record<string, string>} */
  const words = {
    break_began: gettext("The break begins after this hand"),
    hand_for_hand_began: gettext("Hand for hand: all tables start each hand together"),
    hand_for_hand_ended: gettext("The tables play at their own pace again"),
    final_table: gettext("Final table"),
    entries_closed: gettext("Late registration is over"),
    rebuys_closed: gettext("The re-buy period is over"),
    time_up: gettext("Time is up: this hand is the last one"),
    round_began: interpolate(gettext("Round %(number)s of %(rounds)s begins"), {
      number: event.number ?? "",
      rounds: event.rounds ?? "",
    }),
    deal_proposed: interpolate(gettext("%(name)s proposes a deal: vote after this hand"), {
      name: event.name ?? "",
    }),
    deal_opened: gettext("Everybody left votes on a deal"),
    deal_voted: event.yes
      ? interpolate(gettext("%(name)s agrees to the deal: %(votes)s of %(needed)s votes"), event)
      : "",
    deal_refused:
      event.reason === "no"
        ? interpolate(gettext("%(name)s says no: no deal"), { name: event.name ?? "" })
        : gettext("No deal: the table plays on"),
    deal_agreed: gettext("Everybody agrees: the deal is paid"),
    paused: gettext("Paused after the hand"),
    resumed: gettext("The tournament goes on"),
    finished:
      event.left > 1
        ? gettext("The tournament is over: those left are paid")
        : interpolate(gettext("%(name)s wins the tournament"), { name: event.name ?? "" }),
    cancelled: gettext("The tournament is cancelled"),
    room_message: event.text ?? "",
  };
  return words[event.type] ?? "";
}
