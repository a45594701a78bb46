"""Table of a season: points of each tournament, best results of each player, ties by rules."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from tournaments.seasons.engine.formulas import points_by_place, rounded, shared_points

TieRule = Literal["wins", "countback", "fewer", "more"]
"""Rule between equal totals: more wins, the better best results one after another, fewer
tournaments, more tournaments; players equal by all rules share the rank."""


@dataclass(frozen=True, slots=True)
class SeasonPlace:
    """A user's place in a tournament; one that is not `certain` may still become better.

    A place without `reward` is that of a disqualified entry: it counts as taken and is worth 0.
    """

    user: int
    place: int
    certain: bool = True
    reward: bool = True


@dataclass(frozen=True, slots=True)
class SeasonTournament:
    """Places of a tournament that a season counts; `field` entries, `buy_in` in cents."""

    tournament: int
    field: int
    buy_in: int
    places: tuple[SeasonPlace, ...]


@dataclass(frozen=True, slots=True)
class SeasonScore:
    """A user's best result in one tournament; `counted` among the best results of the season."""

    tournament: int
    place: int
    points: Decimal
    certain: bool = True
    counted: bool = True


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A user's row of the table: the total of the counted results, the best result first."""

    rank: int
    user: int
    points: Decimal
    wins: int
    scores: tuple[SeasonScore, ...]

    @property
    def played(self) -> int:
        """Number of tournaments with a result."""
        return len(self.scores)

    @property
    def is_live(self) -> bool:
        """True while a result may still become better."""
        return not all(score.certain for score in self.scores)


def season_table(
    tournaments: Iterable[SeasonTournament],
    *,
    formula: str,
    best_of: int,
    ties: Sequence[TieRule],
) -> list[SeasonRow]:
    """Return the table of a season, best first; `best_of` results count, 0: all of them."""
    by_user: dict[int, list[SeasonScore]] = defaultdict(list)
    for tournament in tournaments:
        for user, score in tournament_scores(tournament, formula).items():
            by_user[user].append(score)
    return rank_players(by_user, best_of=best_of, ties=ties)


def tournament_scores(tournament: SeasonTournament, formula: str) -> dict[int, SeasonScore]:
    """Return the best score of each user in a tournament; entries of one place share its points."""
    if not tournament.places:
        # Its field grows with each late entry, and the points of every field would be kept.
        return {}
    points = points_by_place(formula, tournament.field, tournament.buy_in)
    sharing = Counter(place.place for place in tournament.places if place.certain)
    best: dict[int, SeasonScore] = {}
    for place in tournament.places:
        worth = shared_points(points, place.place, sharing[place.place] if place.certain else 1)
        score = SeasonScore(
            tournament.tournament,
            place.place,
            rounded(worth) if place.reward else Decimal("0.00"),
            place.certain,
        )
        known = best.get(place.user)
        if known is None or (score.points, -score.place) > (known.points, -known.place):
            best[place.user] = score
    return best


def rank_players(
    by_user: Mapping[int, Sequence[SeasonScore]], *, best_of: int, ties: Sequence[TieRule]
) -> list[SeasonRow]:
    """Return the rows of these users by total and tie rules; equal users share their rank."""
    rows = [_row(user, scores, best_of) for user, scores in by_user.items()]
    longest = max((len(row.scores) for row in rows), default=0)
    keys = {row.user: _key(row, ties, longest) for row in rows}
    rows.sort(key=lambda row: (keys[row.user], row.user))
    ranked: list[SeasonRow] = []
    for number, row in enumerate(rows, start=1):
        before = ranked[-1] if ranked else None
        is_equal = before is not None and keys[before.user] == keys[row.user]
        rank = before.rank if before is not None and is_equal else number
        ranked.append(SeasonRow(rank, row.user, row.points, row.wins, row.scores))
    return ranked


def _row(user: int, scores: Sequence[SeasonScore], best_of: int) -> SeasonRow:
    ordered = sorted(scores, key=lambda score: (-score.points, score.place, score.tournament))
    counting = best_of or len(ordered)
    marked = tuple(
        SeasonScore(score.tournament, score.place, score.points, score.certain, number < counting)
        for number, score in enumerate(ordered)
    )
    total = sum((score.points for score in marked if score.counted), Decimal("0.00"))
    wins = sum(score.place == 1 and score.certain for score in marked)
    return SeasonRow(0, user, total, wins, marked)


def _key(row: SeasonRow, ties: Sequence[TieRule], longest: int) -> tuple[object, ...]:
    return (-row.points, *(_RULES[rule](row, longest) for rule in ties))


def _best_first(row: SeasonRow, longest: int) -> tuple[Decimal, ...]:
    points = [-score.points for score in row.scores]
    return (*points, *[Decimal(0)] * (longest - len(points)))


_RULES: dict[TieRule, Callable[[SeasonRow, int], object]] = {
    "wins": lambda row, _longest: -row.wins,
    "countback": _best_first,
    "fewer": lambda row, _longest: row.played,
    "more": lambda row, _longest: -row.played,
}
