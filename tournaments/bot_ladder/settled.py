"""Rating of finished tournaments: each once for a ladder, in the order in which they ended.

The tick of the schedule rates, so that no end of a tournament waits for a ladder; a tick that is
late, repeated or concurrent rates nothing twice.
"""

from __future__ import annotations

from collections.abc import Mapping

import structlog
from django.db import transaction
from django.db.models import Min, QuerySet
from django.utils import timezone

from config import limits
from tables.models import Hand
from tournaments import locks
from tournaments.bot_ladder.faults import decision_counts
from tournaments.bot_ladder.models import BotLadder, RatedBot, RatedGame, RatedResult
from tournaments.bot_ladder.rating import rated
from tournaments.bot_ladder.terms import ratable
from tournaments.duplicates.rotation import mean_places
from tournaments.models import Tournament
from tournaments.models.tournament import State

log = structlog.get_logger(__name__)


def rate_ladders() -> int:
    """Rate what is over in every open ladder; return the number of games rated now.

    A ladder that fails is logged and passed over: the others and the schedule go on.
    """
    games = 0
    for ladder in (
        BotLadder.objects.filter(is_open=True).order_by("pk").values_list("pk", flat=True)
    ):
        try:
            games += rate_finished(ladder)
        except Exception:
            log.exception("ladder failed", ladder=ladder)
    return games


def rate_finished(ladder_id: int) -> int:
    """Rate the tournaments of a ladder that are over and not rated; return their number."""
    for games in range(limits.LADDER_GAMES_PER_TICK):
        if not _rate_next(ladder_id):
            return games
    return limits.LADDER_GAMES_PER_TICK


def unrated(ladder: BotLadder) -> QuerySet[Tournament]:
    """Return the finished tournaments of a ladder that it has not rated, as they ended."""
    done = RatedGame.objects.filter(ladder=ladder).values("tournament")
    return ratable(ladder).exclude(pk__in=done).order_by("finished_at", "pk")


def _rate_next(ladder_id: int) -> bool:
    """Rate the next tournament of a ladder; return whether there was one to rate.

    The ladder's row is locked: of several processes one rates, the others find nothing.
    """
    with transaction.atomic():
        open_ladders = BotLadder.objects.filter(pk=ladder_id, is_open=True)
        ladder = open_ladders.select_for_update(skip_locked=True, of=("self",)).first()
        if ladder is None:
            return False
        games = _next_games(ladder)
        # Ratings follow each other: one that may not be told yet holds up those behind it.
        if not games or _is_untold(games):
            return False
        _rate(ladder, games)
    return True


def _next_games(ladder: BotLadder) -> list[Tournament]:
    """Return the tournaments that the ladder rates next as one game: one, or a whole set."""
    waiting = unrated(ladder)
    if not ladder.duplicate:
        return list(waiting[:1])
    over = waiting.filter(duplicate__duplicates__ended_why="")
    for first in over.order_by("duplicate__duplicates").select_related("duplicate__duplicates"):
        found = first.duplicate.duplicates
        games = [game.tournament for game in found.games.select_related("tournament")]
        if len(games) == len(found.users) and all(game.state == State.FINISHED for game in games):
            return games
    return []


def _rate(ladder: BotLadder, games: list[Tournament]) -> None:
    places = mean_places(map(_places, games))
    best = sorted(places.values())[:2]
    ladder.rated += 1
    ladder.save(update_fields=["rated"])
    game = RatedGame.objects.create(
        ladder=ladder, tournament=games[0], number=ladder.rated, players=len(places)
    )
    bots = {row.user_id: row for row in RatedBot.objects.filter(ladder=ladder, user__in=places)}
    counts = decision_counts(
        bytes(stored) for stored in _hands(games).values_list("record", flat=True).iterator()
    )
    after = rated({user: row.rating for user, row in bots.items()}, places)
    results: list[RatedResult] = []
    for user, rating in after.items():
        row = bots.setdefault(user, RatedBot(ladder=ladder, user_id=user))
        row.mu, row.sigma, row.games = rating
        row.wins += places[user] == best[0] and best[0] not in best[1:]
        row.places += places[user]
        tally: Mapping[str, int] = counts.get(user, {})
        for column, count in tally.items():
            setattr(row, column, getattr(row, column) + count)
        row.save()
        results.append(
            RatedResult(
                game=game,
                bot=row,
                place=places[user],
                mu=rating.mu,
                sigma=rating.sigma,
                **tally,
            )
        )
    RatedResult.objects.bulk_create(results)


def _places(tournament: Tournament) -> dict[int, int]:
    """User -> place; of several entries of a bot the best one counts."""
    rows = tournament.entries.filter(place__isnull=False).order_by()
    return dict(rows.values_list("user").annotate(best=Min("place")))


def _is_untold(games: list[Tournament]) -> bool:
    """Return whether the result of a hand of these tournaments is not to be told yet."""
    return _hands(games).filter(released_at__gt=timezone.now()).exists()


def _hands(games: list[Tournament]) -> QuerySet[Hand]:
    keys = [tournament.pk for tournament in games]
    return Hand.objects.filter(table__director=locks.DIRECTOR, table__game__in=keys)
