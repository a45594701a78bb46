// Numbers and times as the visitor writes them: chips, money in cents, durations in ms.

import { gettext, interpolate, language } from "./i18n.js";

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

export const count = (number) => whole.format(number);

export const money = (cents) => twoDigits.format(cents / 100);

export const chips = playsForMoney ? money : count;

// Money as it is typed: no signs between thousands.
export const moneyTyped = (cents) => typing.format(cents / 100);

// Chips as they are typed.
export const chipsTyped = playsForMoney ? moneyTyped : String;

export const decimal = (number) => oneDigit.format(number);

// What stacks are counted in: the big blind, in stud the small bet.
// The bets of split or spread limit: "10 / 20", "10–50"; nothing where bets follow from stacks.
export function bets(stakes, limit) {
  const least = stakes.small_bet || stakes.big_blind;
  const most = stakes.big_bet || 2 * least;
  if (limit === "spread_limit") return `${chips(least)}–${chips(most)}`;
  return limit === "fixed_limit" ? `${chips(least)} / ${chips(most)}` : "";
}

export const unit = (stakes) => stakes.big_blind || stakes.small_bet || 1;
export const blinds = (amount, bigBlind) => `${oneDigit.format(amount / bigBlind)} BB`;

const two = (value) => String(value).padStart(2, "0");

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

const dayAndTime = new Intl.DateTimeFormat(language, {
  weekday: "short",
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});
const timeOnly = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit" });

export function moment(ms, now) {
  const sameDay = new Date(ms).toDateString() === new Date(now).toDateString();
  return (sameDay ? timeOnly : dayAndTime).format(ms);
}

export function ordinal(place) {
  if (language.startsWith("de")) return `${place}.`;
  const tail = { one: "st", two: "nd", few: "rd", other: "th" };
  return `${place}${tail[new Intl.PluralRules("en", { type: "ordinal" }).select(place)]}`;
}

// Chips that somebody typed, or null.
export const amountFrom = (text) => (playsForMoney ? moneyFrom(text) : wholeFrom(text));

function wholeFrom(text) {
  const digits = String(text).replace(/[\s.,'_]/g, "");
  return /^\d{1,15}$/.test(digits) ? Number(digits) : null;
}

// Cents of typed money: 12, 12.5, 12,50 and 1.250,50; a sign before three digits parts thousands.
export function moneyFrom(text) {
  const [, major, minor = ""] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(String(text).trim()) ?? [];
  const whole = wholeFrom(major);
  return whole === null || whole > 1e12 ? null : whole * 100 + Number(minor.padEnd(2, "0"));
}
