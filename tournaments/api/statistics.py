"""Route of the user's own statistics, as the own page of them."""

from __future__ import annotations

from django.http import HttpRequest
from msgspec.structs import asdict
from ninja import Router, Schema

from tables.ring.queries import history
from tables.statistics.counters import HandCounters
from tournaments.api.access import ScopedBearer
from tournaments.api.callers import caller
from tournaments.models import Tournament
from tournaments.queries.figures import counts, results

router = Router()

OWN = ScopedBearer("hands:own")


class CountersAnswer(Schema):
    """Counters of hands; `net` in chips, which are minor units of money in ring games alone.

    Where games are counted together `net` is that of ring games.
    """

    hands: int
    voluntary: int
    raised: int
    three_bet_chances: int
    three_bets: int
    saw_second: int
    showdowns: int
    showdowns_won: int
    won: int
    net: int
    played_ms: int


class GameCountersAnswer(Schema):
    """Counters of one variant at one stake: the `price` of tournaments, or `stakes` in words."""

    variant: str
    price: int | None
    stakes: str
    counters: CountersAnswer


class ResultSumsAnswer(Schema):
    """Sums over tournaments that are over; money in minor units."""

    entries: int
    cost: int
    back: int
    profit: int
    in_the_money: int
    wins: int
    best: int | None


class StatisticsAnswer(Schema):
    """The user's figures: all hands, hands by game and stake, tournaments, ended ring stays."""

    counters: CountersAnswer
    games: list[GameCountersAnswer]
    tournaments: ResultSumsAnswer
    ring_stays: int
    ring_profit: int


@router.get("/statistics", auth=OWN, response=StatisticsAnswer, url_name="api_statistics")
def statistics(request: HttpRequest) -> StatisticsAnswer:
    """Return the figures of the user, and of nobody else."""
    user = caller(request)
    seen = Tournament.objects.all()  # as on the own page: each of them was entered by the user
    games = counts.counts_by_game(user, seen, private_too=True)
    sums = results.result_sums(user, seen)
    stays = history.totals(user)
    return StatisticsAnswer(
        counters=_counters(counts.all_counts(games)),
        games=[
            GameCountersAnswer(
                variant=one.variant,
                price=one.price,
                stakes=one.stakes,
                counters=_counters(one.counters),
            )
            for one in games
        ],
        tournaments=ResultSumsAnswer(**asdict(sums), profit=sums.profit),
        ring_stays=stays.stays,
        ring_profit=stays.result,
    )


def _counters(counters: HandCounters) -> CountersAnswer:
    return CountersAnswer(**asdict(counters))
