"""Standings of a ladder and the course of a bot, as pages, files and the API read them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from django.db.models import Q, QuerySet

from accounts.bots.models import BotAccount
from config import limits
from tournaments.bot_ladder.models import BotLadder, RatedBot, RatedResult

WIDTH, HEIGHT = 640, 160


class RatedBotRow(msgspec.Struct, frozen=True):
    """A bot's row of the table of a ladder; `owner` is empty for a bot of the room."""

    rank: int
    id: int
    name: str
    owner: str
    mu: float
    sigma: float
    games: int
    wins: int
    mean_place: float
    decisions: int
    time_outs: int
    crashes: int
    missed: int


_SAME = ("mu", "sigma", "games", "wins", "decisions", "time_outs", "crashes", "missed")


class RatingGraph(msgspec.Struct, frozen=True):
    """The drawing of a bot's ratings: `mu` as a line in a band of one `sigma` to each side."""

    line: str
    band: str
    lowest: float
    highest: float
    last: float
    width: int = WIDTH
    height: int = HEIGHT


def ranked_bots(ladder: BotLadder) -> QuerySet[RatedBot]:
    """Return the bots of a ladder, the strongest first."""
    rows = RatedBot.objects.filter(ladder=ladder).select_related("user")
    return rows.order_by("-mu", "pk")


def table_rows(found: Sequence[RatedBot], first: int = 1) -> list[RatedBotRow]:
    """Return rated bots with their owners' names, ranked from `first` on."""
    accounts = BotAccount.objects.filter(user__in=[row.user_id for row in found])
    owners = dict(accounts.values_list("user", "owner__name"))
    return [
        RatedBotRow(
            rank=rank,
            owner=owners.get(row.user_id, ""),
            id=row.user_id,
            name=row.user.name,
            mean_place=row.places / row.games,
            **{name: getattr(row, name) for name in _SAME},
        )
        for rank, row in enumerate(found, start=first)
    ]


def table_row(bot: RatedBot) -> RatedBotRow:
    """Return a bot's row of the table of its ladder."""
    rows = RatedBot.objects.filter(ladder=bot.ladder_id)
    equal = Q(mu=bot.mu, pk__lt=bot.pk)
    ahead = rows.filter(Q(mu__gt=bot.mu) | equal).count()
    return table_rows([bot], ahead + 1)[0]


def rated_results(bot: RatedBot) -> QuerySet[RatedResult]:
    """Return the results of a bot with their games, in the order of these."""
    rows = RatedResult.objects.filter(bot=bot).select_related("game")
    return rows.order_by("game__number")


def rating_graph(bot: RatedBot) -> RatingGraph | None:
    """Draw the ratings of a bot, game by game; None for fewer than two games.

    Of a long course every so many games are drawn, the last one always.
    """
    ratings = list(rated_results(bot).values_list("mu", "sigma"))
    if len(ratings) < 2:
        return None
    step = -(-len(ratings) // limits.LADDER_GRAPH_POINTS_MAX)
    chosen = ratings[::-1][::step][::-1]
    lowest = min(mu - sigma for mu, sigma in chosen)
    highest = max(mu + sigma for mu, sigma in chosen)
    span = max(1e-9, highest - lowest)

    def points(values: Iterable[float], *, back: bool = False) -> str:
        placed = [
            f"{WIDTH * at / (len(chosen) - 1):.1f},{HEIGHT * (highest - value) / span:.1f}"
            for at, value in enumerate(values)
        ]
        return " ".join(reversed(placed) if back else placed)

    above = points(mu + sigma for mu, sigma in chosen)
    below = points((mu - sigma for mu, sigma in chosen), back=True)
    return RatingGraph(
        line=points(mu for mu, _sigma in chosen),
        band=f"{above} {below}",
        lowest=lowest,
        highest=highest,
        last=chosen[-1][0],
    )
