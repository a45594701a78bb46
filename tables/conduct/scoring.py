"""Looking for signs in the figures that changed, and the cases that they open."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from accounts.models import User
from config.sums import add_to
from tables.conduct.counting import PAIR_NAMES, PLAYER_NAMES, is_elected, stored_figures
from tables.conduct.keeping import oldest_month
from tables.conduct.models import (
    ConductCase,
    PairConduct,
    PlayerConduct,
    PlayerDay,
    SharedBrowser,
)
from tables.conduct.rules import signs
from tables.conduct.rules.figures import Pair, PairFigures, PlayerFigures

ROWS_AT_ONCE_MAX = 500

OPENS_AGAIN = 1.5
"""Factor by which a score exceeds that of a decided case before a new one opens."""


@dataclass(frozen=True, slots=True)
class SignFinding:
    """A sign with its score and the figures that made it; `other` is None for one player."""

    sign: str
    user: int
    other: int | None
    score: float
    figures: dict[str, Any]


def look_for_signs() -> int:
    """Look at players and pairs with new figures; return the number of rows looked at.

    0 while another process counts. Bots of the room are no persons: they are not looked at.
    """
    with transaction.atomic():
        if not is_elected():
            return 0
        pair_rows = list(PairConduct.objects.filter(is_new=True).order_by("id")[:ROWS_AT_ONCE_MAX])
        player_rows = list(
            PlayerConduct.objects.filter(is_new=True).order_by("id")[:ROWS_AT_ONCE_MAX]
        )
        if not pair_rows and not player_rows:
            return 0
        # First, so that a log-in meanwhile waits and makes its pair new again.
        PairConduct.objects.filter(pk__in=[row.pk for row in pair_rows]).update(is_new=False)
        PlayerConduct.objects.filter(pk__in=[row.pk for row in player_rows]).update(is_new=False)
        found = find_signs(
            {(row.first_id, row.second_id) for row in pair_rows},
            {row.user_id for row in player_rows},
        )
        for one in found:
            keep_case(one)
    return len(pair_rows) + len(player_rows)


def find_signs(pairs: set[Pair], players: set[int]) -> list[SignFinding]:
    """Return the signs with a score of at least 1 of these pairs and players."""
    concerned = players | {user for pair in pairs for user in pair}
    bots = set(User.objects.filter(pk__in=concerned, is_bot=True).values_list("pk", flat=True))
    pairs = {pair for pair in pairs if bots.isdisjoint(pair)}
    players = players - bots
    # One bound for both: a pair's figures are a part of those of its players, while the rows of a
    # month past its time are deleted some at a time, players first.
    since = oldest_month()
    of_players = player_figures(players | {user for pair in pairs for user in pair}, since)
    of_pairs = pair_figures(pairs, since)
    logins = _shared_logins(pairs)
    found = [
        sign
        for pair, figures in of_pairs.items()
        for sign in _signs_of_pair(pair, figures, of_players, logins.get(pair, 0))
    ]
    hours = _hours(players)
    for user in players & of_players.keys():
        found += _signs_of_player(user, of_players[user], hours.get(user, []))
    return [one for one in found if one.score >= 1]


def player_figures(users: Iterable[int], since: int = 0) -> dict[int, PlayerFigures]:
    """Return the figures of users from the month `since` on, as 202611."""
    rows = PlayerConduct.objects.filter(user__in=users, month__gte=since)
    found: dict[int, PlayerFigures] = {}
    for user, *values in rows.values_list("user_id", *PLAYER_NAMES):
        add_to(found, user, stored_figures(values))
    return found


def pair_figures(pairs: set[Pair], since: int = 0) -> dict[Pair, PairFigures]:
    """Return the figures of pairs from the month `since` on, as 202611."""
    found: dict[Pair, PairFigures] = {}
    users = list(map(list, zip(*pairs, strict=True))) if pairs else [[], []]
    with connection.cursor() as cursor:
        cursor.execute(_OF_PAIRS, [*users, since])
        rows = cursor.fetchall()
    for first, second, *values in rows:
        add_to(found, (first, second), PairFigures(*values))
    return found


def keep_case(found: SignFinding, *, is_fresh: bool = False) -> bool:
    """Open a case of a sign or renew the open one; False when it was decided at a like score.

    A score that `is_fresh` counts nothing of before the last decision.
    """
    cases = ConductCase.objects.filter(sign=found.sign, user=found.user, other=found.other)
    values = {"score": found.score, "figures": found.figures, "scored_at": timezone.now()}
    if cases.filter(state=ConductCase.State.OPEN).update(**values):
        return True
    decided = cases.order_by("-decided_at").values_list("score", flat=True).first()
    if decided is not None and not is_fresh and found.score < OPENS_AGAIN * decided:
        return False
    ConductCase.objects.create(
        sign=found.sign,
        user_id=found.user,
        other_id=found.other,
        score=found.score,
        figures=found.figures,
    )
    return True


def _signs_of_pair(
    pair: Pair, figures: PairFigures, players: dict[int, PlayerFigures], logins: int
) -> Iterable[SignFinding]:
    first, second = (players.get(user, PlayerFigures()) for user in pair)
    told = {name: getattr(figures, name) for name in PAIR_NAMES}
    score = signs.dumping(figures, first, second)
    giver, taker = pair if score >= 0 else pair[::-1]
    yield SignFinding("dumping", giver, taker, abs(score), told)
    yield SignFinding("soft_play", *pair, signs.soft_play(figures, first, second), told)
    score = signs.shared_browser(figures, logins)
    yield SignFinding("shared_browser", *pair, score, told | {"logins": logins})


def _signs_of_player(user: int, figures: PlayerFigures, hours: list[int]) -> Iterable[SignFinding]:
    told = {"hands": figures.hands, "times": figures.times}
    yield SignFinding("clockwork", user, None, signs.clockwork(figures), told)
    yield SignFinding("tireless", user, None, signs.tireless(hours), {"hours": sorted(hours)[-31:]})
    told = {"hands": figures.hands, "calls": figures.calls}
    yield SignFinding("seeing", user, None, signs.seeing(figures), told)


def _shared_logins(pairs: set[Pair]) -> dict[Pair, int]:
    firsts = {first for first, _ in pairs}
    rows = SharedBrowser.objects.filter(first__in=firsts).values_list(
        "first_id", "second_id", "logins"
    )
    return {(first, second): logins for first, second, logins in rows}


def _hours(users: set[int]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    rows = PlayerDay.objects.filter(user__in=users).values_list("user_id", "hours")
    for user, hours in rows:
        found.setdefault(user, []).append(hours.bit_count())
    return found


_OF_PAIRS = f"""
SELECT first_id, second_id, {", ".join(PAIR_NAMES)}
  FROM conduct_pairconduct
  JOIN unnest(%s::bigint[], %s::bigint[]) AS p(a, b) ON first_id = p.a AND second_id = p.b
 WHERE month >= %s
"""  # nosec B608
