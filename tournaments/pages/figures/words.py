"""Figures of a player in words, each with its definition."""

from __future__ import annotations

from typing import Any

import msgspec
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from accounts import money
from tables.statistics.counters import HandCounters
from tables.templatetags.games import GAMES
from tournaments.queries.figures.counts import GameCounts
from tournaments.queries.figures.results import ResultSums

MS_PER_HOUR = 3_600_000


class Figure(msgspec.Struct, frozen=True):
    """A figure with its name and its definition in one sentence."""

    key: str
    name: str
    value: str
    definition: str


class GameRow(msgspec.Struct, frozen=True):
    """Counters of one game and stake in words."""

    game: str
    stake: str
    hands: int
    voluntary: str
    raised: str
    three_bets: str
    showdowns: str
    hours: str
    net: int | None


def hand_figures(counters: HandCounters) -> list[Figure]:
    """Return the figures of the play of hands."""
    return [
        Figure("hands", _("Hands"), _count(counters.hands), _("Finished hands with own cards.")),
        Figure(
            "hours", _("Hours"), _hours(counters),
            _("Time from the deal to the end of these hands."),
        ),
        Figure(
            "vpip", "VPIP", percent(counters.voluntary, counters.hands),
            _("Hands with chips put in on the first street by choice: a call, bet or raise. "
              "Blinds, antes, straddles and bring-ins are no choice."),
        ),
        Figure(
            "pfr", "PFR", percent(counters.raised, counters.hands),
            _("Hands with a bet, completion or raise on the first street."),
        ),
        Figure(
            "three_bet", "3-Bet", percent(counters.three_bets, counters.three_bet_chances),
            _("Raises behind exactly one raise of another player on the first street, of all "
              "decisions there."),
        ),
        Figure(
            "flop", _("Flop seen"), percent(counters.saw_second, counters.hands),
            _("Hands still in when the flop was dealt, in stud the fourth card."),
        ),
        Figure(
            "showdown", _("Showdown won"), percent(counters.showdowns_won, counters.showdowns),
            _("Showdowns with a share of a pot, of all own showdowns."),
        ),
        Figure("won", _("Hands won"), percent(counters.won, counters.hands),
               _("Hands with a share of a pot.")),
    ]  # fmt: skip


def tournament_figures(sums: ResultSums) -> list[Figure]:
    """Return the figures of tournaments that are over."""
    return [
        Figure("entries", _("Entries"), _count(sums.entries),
               _("Entries of tournaments that are over.")),
        Figure("profit", _("Profit"), money.text(sums.profit),
               _("Prizes and bounties less everything paid for the entries.")),
        Figure("roi", "ROI", percent(sums.profit, sums.cost),
               _("Profit in percent of everything paid for the entries.")),
        Figure("paid", _("In the money"), percent(sums.in_the_money, sums.entries),
               _("Entries that won a prize or a bounty.")),
        Figure("wins", _("Wins"), _count(sums.wins), _("Entries on the first place.")),
        Figure("best", _("Best place"), "–" if sums.best is None else f"{sums.best}.",
               _("The best place of all entries.")),
    ]  # fmt: skip


def game_rows(games: list[GameCounts]) -> list[GameRow]:
    """Return counters by game and stake; `net` only where chips are money."""
    return [_row(one) for one in games]


def percent(part: int, whole: int) -> str:
    """Return a share in percent with one place after the point; a dash without a whole."""
    if not whole:
        return "–"
    tenths = (abs(part) * 2_000 + whole) // (2 * whole)
    sign = "-" if part < 0 and tenths else ""
    return f"{sign}{number_format(tenths / 10, decimal_pos=1, use_l10n=True)} %"


def _row(one: GameCounts) -> GameRow:
    counters = one.counters
    game: Any = GAMES.get(one.variant, one.variant)
    stake = one.stakes if one.price is None else money.text(one.price)
    return GameRow(
        game=str(game),
        stake=stake,
        hands=counters.hands,
        voluntary=percent(counters.voluntary, counters.hands),
        raised=percent(counters.raised, counters.hands),
        three_bets=percent(counters.three_bets, counters.three_bet_chances),
        showdowns=percent(counters.showdowns_won, counters.showdowns),
        hours=_hours(counters),
        net=counters.net if one.price is None else None,
    )


def _count(number: int) -> str:
    return number_format(number, use_l10n=True, force_grouping=True)


def _hours(counters: HandCounters) -> str:
    return number_format(counters.played_ms / MS_PER_HOUR, decimal_pos=1, use_l10n=True)
