"""Words of PokerStars' hand histories: games, levels, made hands."""

from __future__ import annotations

GAMES = {
    "holdem": "Hold'em",
    "omaha": "Omaha",
    "omaha5": "5 Card Omaha",
    "omaha5_house": "5 Card Omaha 3+2",
    "omaha_hilo": "Omaha Hi/Lo",
    "omaha5_hilo": "5 Card Omaha Hi/Lo",
    "stud": "7 Card Stud",
    "stud_hilo": "7 Card Stud Hi/Lo",
}
LIMITS = {
    "no_limit": "No Limit",
    "pot_limit": "Pot Limit",
    "fixed_limit": "Limit",
    "spread_limit": "Spread Limit",
}
STREETS = {
    "preflop": "HOLE CARDS",
    "flop": "FLOP",
    "turn": "TURN",
    "river": "RIVER",
    "third": "3rd STREET",
    "fourth": "4th STREET",
    "fifth": "5th STREET",
    "sixth": "6th STREET",
    "seventh": "RIVER",
}
FOLDED = {
    "preflop": "before Flop",
    "flop": "on the Flop",
    "turn": "on the Turn",
    "river": "on the River",
    "third": "on the 3rd Street",
    "fourth": "on the 4th Street",
    "fifth": "on the 5th Street",
    "sixth": "on the 6th Street",
    "seventh": "on the River",
}
RANKS = {
    "2": "Deuce",
    "3": "Three",
    "4": "Four",
    "5": "Five",
    "6": "Six",
    "7": "Seven",
    "8": "Eight",
    "9": "Nine",
    "T": "Ten",
    "J": "Jack",
    "Q": "Queen",
    "K": "King",
    "A": "Ace",
}
STRAIGHTS = "A23456789TJQKA"
ROMANS = ((100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"))


def made_hand(notation: str) -> str:
    """Return a made hand of the engine's notation in words, e.g. "two pair, Kings and Tens"."""
    kind, _, ranks = notation.partition(":")
    first, last = ranks[:1], ranks[1:]
    match kind:
        case "high":
            return f"high card {RANKS[first]}"
        case "pair":
            return f"a pair of {_plural(first)}"
        case "two_pair":
            return f"two pair, {_plural(first)} and {_plural(last)}"
        case "three":
            return f"three of a kind, {_plural(first)}"
        case "straight" | "straight_flush":
            low = STRAIGHTS[STRAIGHTS.index(first, 4) - 4]
            article = "a straight flush" if kind == "straight_flush" else "a straight"
            return f"{article}, {RANKS[low]} to {RANKS[first]}"
        case "flush":
            return f"a flush, {RANKS[first]} high"
        case "full_house":
            return f"a full house, {_plural(first)} full of {_plural(last)}"
        case "four":
            return f"four of a kind, {_plural(first)}"
        case "royal_flush":
            return "a Royal Flush"
        case "low":
            return ",".join(ranks)
    return ""


def _plural(rank: str) -> str:
    return "Sixes" if rank == "6" else f"{RANKS[rank]}s"


def roman(number: int) -> str:
    """Return a number from 1 in Roman numerals."""
    numeral = ""
    for value, letters in ROMANS:
        numeral += letters * (number // value)
        number %= value
    return numeral + "I" * number
