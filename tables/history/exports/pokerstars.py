"""A hand as text in the manner of PokerStars, which tracking programs import."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from tables.history.exports.games import TournamentFacts
from tables.history.exports.hand import ExportedHand
from tables.history.exports.pokerstars_actions import ActionLines
from tables.history.exports.pokerstars_summary import summary
from tables.history.exports.pokerstars_words import GAMES, LIMITS, roman

HANDS_PER_TABLE = 1_000_000
"""Factor of the table's key in the number of a hand, which is unique in the room."""
EASTERN = ZoneInfo("America/New_York")
"""Time zone of PokerStars: programs take the last time of a hand for one of it."""


def written(hand: ExportedHand) -> str:
    """Return the text of one hand, with amounts in chips; it ends with a line feed.

    Prices and ring games are written like those for play money, in minor units of money.
    """
    lines = ActionLines(hand)
    lines.run()
    return "\n".join([*_head(hand), *_seats(hand), *lines.written, *summary(hand, lines)]) + "\n"


def _head(hand: ExportedHand) -> list[str]:
    kept = hand.kept
    rules = kept.setup.rules
    stakes = rules.stakes
    number = kept.table * HANDS_PER_TABLE + kept.hand
    bets = (stakes.small_blind, stakes.big_blind)
    if rules.limit == "fixed_limit" or not stakes.big_blind:
        bets = (stakes.lower_bet, stakes.upper_bet)
    game = f"{GAMES[rules.variant]} {LIMITS[rules.limit]}"
    stakes_text = f"({bets[0]}/{bets[1]})"
    table, seats = f"{kept.game} {hand.table}", f"{hand.seats_max}-max"
    if hand.game.for_money:
        what = f"{game} {stakes_text}"
        name = hand.game.name.replace("'", "")  # a quote ends the name of a table
        table, seats = f"{name} {hand.table}", f"{seats} (Play Money)"
    else:
        price = _price(hand.game.tournament)
        level = f"Level {roman(kept.level)} {stakes_text}"
        what = f"Tournament #{kept.game}, {price} {game} - {level}"
    return [
        f"PokerStars Hand #{number}: {what} - {_time(kept.began_ms)}",
        f"Table '{table}' {seats} Seat #{kept.setup.positions.button} is the button",
    ]


def _time(at_ms: int) -> str:
    """Return a time in UTC, then in the zone of PokerStars, which has no zero before the hour."""
    at = datetime.fromtimestamp(at_ms / 1_000, UTC)
    eastern = at.astimezone(EASTERN)
    return f"{at:%Y/%m/%d %H:%M:%S} UTC [{eastern:%Y/%m/%d} {eastern.hour}:{eastern:%M:%S} ET]"


def _price(facts: TournamentFacts | None) -> str:
    """Return the price of one entry as programs read it: 1000+100, or 1000+500+100.

    A bounty stands between buy-in and fee. Amounts without a currency are play money, which has no
    fractions: fpdb refuses a hand with a point in its price.
    """
    if facts is None or not (facts.buy_in or facts.bounty or facts.fee):
        return "Freeroll"
    bounty = (facts.bounty,) if facts.bounty else ()
    parts = (facts.buy_in, *bounty, facts.fee)
    return "+".join(map(str, parts))


def _seats(hand: ExportedHand) -> list[str]:
    players = sorted(hand.kept.setup.players, key=lambda player: player.seat)
    return [
        f"Seat {player.seat}: {hand.names[player.seat]} ({player.stack} in chips)"
        for player in players
    ]
