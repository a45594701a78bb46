// Events of a table as the rows of its log.

import { decidedByKicker } from "../cards/best_five.js";
import { cardSigns } from "../cards/faces.js";
import { kickerWords, lowWords, madeWords } from "../cards/hand_words.js";
import { chips, playsForMoney } from "../shared/format.js";
import { gettext, interpolate, ngettext } from "../shared/i18n.js";
import { postKind, waitingWords, withAllIn } from "./words.js";

/** @type {(number: number) => {amount: string}} */
const amount = (number) => ({ amount: chips(number) });

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
const allIn = (event, words) => withAllIn(words, event.all_in);

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
        ? gettext("High card for the button: %(name)s (%(cards)s)")
        : gettext("The lot gives the button to %(name)s"),
      {
        name: nameOf(event.button),
        cards: event.cards.map(([seat, card]) => `${nameOf(seat)} ${cardSigns(card)}`).join(", "),
      },
    ),
  level_began: ({ level, stakes }) =>
    interpolate(levelWords(level, stakes.big_blind > 0), { level, ...bets(stakes) }),
  table_waiting: (event) => waitingWords(event.reason),
  cut_called: ({ seal }) =>
    interpolate(gettext("The deck is sealed: %(seal)s"), { seal: seal.slice(0, 16) }),
  deck_cut: ({ cuts }) => cutWords(cuts.map(([, state]) => state)),
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

// A table that closes in the middle of a hand was closed by somebody: a cancelled tournament.
/** @param {Wire.TableSnapshot} state */
const voidWords = ({ closed }) =>
  closed
    ? gettext("The table was closed before the end of this hand")
    : gettext("A fault ended the hand: all chips are as before it");

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
  if (event.type === "hand_voided") return [voidWords(state)];
  if (event.type === "disconnect_time_started") return [lostWords(state, event, nameOf)];
  /** @type {((event: any, name: string, of: typeof nameOf) => string) | undefined} */
  const line = LINES[event.type];
  const name = "seat" in event && event.seat ? nameOf(event.seat) : "";
  return line ? [line(event, name, nameOf)] : [];
}
