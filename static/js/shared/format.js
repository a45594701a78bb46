// Numbers and times as the visitor writes them: chips, money in cents, durations in ms.

import { gettext, interpolate, language, region } from "./i18n.js";

const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
const oneDigit = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
const twoDigits = new Intl.NumberFormat(language, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

const typing = new Intl.NumberFormat(language, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  useGrouping: false,
});

// At a table that plays for money a chip is a cent; the body of such a page says so.
export const playsForMoney = document.body?.dataset.chips === "money";

/** @type {(number: number) => string} */
export const count = (number) => whole.format(number);

/** @type {(cents: number) => string} */
export const money = (cents) => twoDigits.format(cents / 100);

export const chips = playsForMoney ? money : count;

// Money as it is typed: no signs between thousands.
/** @type {(cents: number) => string} */
export const moneyTyped = (cents) => typing.format(cents / 100);

// Chips as they are typed.
/** @type {(amount: number) => string} */
export const chipsTyped = playsForMoney ? moneyTyped : String;

/** @type {(number: number) => string} */
export const decimal = (number) => oneDigit.format(number);

// The bets of split or spread limit: "10 / 20", "10–50"; nothing where bets follow from stacks.
/** @type {(stakes: Partial<Wire.Stakes>, limit?: string) => string} */
export function bets(stakes, limit) {
  const least = stakes.small_bet || stakes.big_blind || 0;
  const most = stakes.big_bet || 2 * least;
  if (limit === "spread_limit") return `${chips(least)}–${chips(most)}`;
  return limit === "fixed_limit" ? `${chips(least)} / ${chips(most)}` : "";
}

// The forced bets of a level: "50 / 100 (100)", in stud its bets; nothing before there are any.
/** @type {(stakes: Partial<Wire.Stakes>, limit?: string) => string} */
export function forcedBets(stakes, limit) {
  if (!stakes.big_blind && !stakes.small_bet) return "";
  const ante = stakes.ante_kind === "none" || !stakes.ante ? "" : ` (${chips(stakes.ante)})`;
  const forced = stakes.big_blind
    ? `${chips(stakes.small_blind ?? 0)} / ${chips(stakes.big_blind)}`
    : bets(stakes, limit) || `${chips(stakes.small_bet ?? 0)} / ${chips(stakes.big_bet ?? 0)}`;
  return `${forced}${ante}`;
}

// What stacks are counted in: the big blind, in stud the small bet.
/** @type {(stakes: Partial<Wire.Stakes>) => number} */
export const unit = (stakes) => stakes.big_blind || stakes.small_bet || 1;
/** @type {(amount: number, bigBlind: number) => string} */
export const blinds = (amount, bigBlind) => `${oneDigit.format(amount / bigBlind)} BB`;

/** @type {(value: number) => string} */
const two = (value) => String(value).padStart(2, "0");

/** @type {(ms: number) => string} */
export function duration(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  if (hours >= 24) {
    const days = Math.floor(hours / 24);
    return interpolate(gettext("%(days)s d %(hours)s h"), { days, hours: hours % 24 });
  }
  if (hours) return `${hours}:${two(minutes)}:${two(seconds % 60)}`;
  return `${minutes}:${two(seconds % 60)}`;
}

const dayAndTime = new Intl.DateTimeFormat(region, {
  weekday: "short",
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});
const timeOnly = new Intl.DateTimeFormat(region, { hour: "2-digit", minute: "2-digit" });

/** @type {(ms: number, now: number) => string} */
export function moment(ms, now) {
  const sameDay = new Date(ms).toDateString() === new Date(now).toDateString();
  return (sameDay ? timeOnly : dayAndTime).format(ms);
}

/** @type {(place: number) => string} */
export function ordinal(place) {
  const number = count(place);
  if (language.startsWith("de")) return `${number}.`;
  /** @type {Partial<Record<Intl.LDMLPluralRule, string>>} */
  const tail = { one: "st", two: "nd", few: "rd", other: "th" };
  return `${number}${tail[new Intl.PluralRules("en", { type: "ordinal" }).select(place)]}`;
}

// Chips that somebody typed, or null.
/** @type {(text: string) => number | null} */
export const amountFrom = (text) => (playsForMoney ? moneyFrom(text) : wholeFrom(text));

/** @type {(text: string) => number | null} */
function wholeFrom(text) {
  const digits = String(text).replace(/[\s.,'_]/g, "");
  return /^\d{1,15}$/.test(digits) ? Number(digits) : null;
}

// Cents of typed money: 12, 12.5, 12,50 and 1.250,50; a sign before three digits parts thousands.
/** @type {(text: string) => number | null} */
export function moneyFrom(text) {
  const [, major = "", minor = ""] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(String(text).trim()) ?? [];
  const whole = wholeFrom(major);
  return whole === null || whole > 1e12 ? null : whole * 100 + Number(minor.padEnd(2, "0"));
}
