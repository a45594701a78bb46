"""Games of duplicate sets, opened one after another for the bots of the first one.

The tick of the schedule calls this; a tick that is late, repeated or concurrent opens no game
twice, because the row of the ladder is locked.
"""

from __future__ import annotations

import structlog
from django.db import transaction
from django.db.models import Exists, Func, IntegerField, OuterRef, QuerySet

from accounts.models import User
from accounts.refusals import line_of
from accounts.research.mark import told
from config.refusals import Refusal
from tables.models import Hand
from tables.records import hand_months, stored
from tables.seeds import marking
from tournaments import locks
from tournaments.bot_ladder.models import BotLadder
from tournaments.bot_ladder.terms import ratable
from tournaments.duplicates.models import DuplicateGame, DuplicateSet
from tournaments.entries import registration
from tournaments.models import Tournament
from tournaments.models.tournament import State
from tournaments.running import operations
from tournaments.schedule import making

log = structlog.get_logger(__name__)

REASON = "duplicate deals"
CANCELLED = "a game was cancelled"


def continue_sets() -> int:
    """Begin and go on with the sets of every open ladder of duplicates; return games opened now.

    A ladder that fails is logged and passed over.
    """
    if not told.get():
        return 0
    games = 0
    for ladder in BotLadder.objects.filter(is_open=True, duplicate=True).order_by("pk"):
        try:
            games += _continue(ladder.pk)
        except Exception:
            log.exception("duplicates failed", ladder=ladder.pk)
    return games


def _continue(ladder_id: int) -> int:
    with transaction.atomic():
        rows = BotLadder.objects.filter(pk=ladder_id, is_open=True, duplicate=True)
        ladder = rows.select_for_update(skip_locked=True, of=("self",)).first()
        if ladder is None:
            return 0
        for tournament in ratable(ladder).filter(duplicate=None).order_by("finished_at", "pk"):
            _begin(tournament)
        return sum(_go_on(found) for found in _going_on(ladder))


def _going_on(ladder: BotLadder) -> QuerySet[DuplicateSet]:
    """Return the sets of a ladder that have not ended: without those whose last game is over."""
    players = Func(OuterRef("users"), function="jsonb_array_length", output_field=IntegerField())
    played = DuplicateGame.objects.filter(
        duplicates=OuterRef("pk"), shift=players - 1, tournament__state=State.FINISHED
    )
    sets = DuplicateSet.objects.filter(
        games__shift=0, games__tournament__template__ladders=ladder, ended_why=""
    )
    return sets.exclude(Exists(played)).order_by("pk").distinct()


def _begin(tournament: Tournament) -> None:
    """Make the set of a finished game: the bots of its first hand, if it has one, in their order.

    Their tables have a seat for each of them. A game whose players left before the first hand has
    no cards to deal again.
    """
    rows = Hand.objects.filter(hand_months.of_game(locks.DIRECTOR, tournament.pk))
    played = rows.order_by("number").first()
    if played is None:
        return
    first = stored.decode_open(bytes(played.record))
    seated = sorted((seat.seat, seat.user) for seat in first.seats)
    made = DuplicateSet.objects.create(
        seats=[*range(1, len(seated) + 1)], users=[user for _, user in seated]
    )
    DuplicateGame.objects.create(duplicates=made, shift=0, tournament=tournament)


def _go_on(found: DuplicateSet) -> int:
    """Open the next game of a set when the one before is over; return the number of games."""
    games = list(found.games.select_related("tournament").order_by("shift"))
    last = games[-1].tournament
    if last.state == State.CANCELLED:
        _end(found, CANCELLED)
        return 0
    if last.state != State.FINISHED or len(games) == len(found.users):
        return 0
    try:
        with transaction.atomic():
            _open(found, games[0].tournament, len(games))
    except Refusal as refusal:
        _end(found, line_of(refusal))
        return 0
    return 1


def _open(found: DuplicateSet, first: Tournament, shift: int) -> None:
    """Open a game with the cards of the first one, and register its bots: it starts full."""
    players = len(found.users)
    made = making.create_like(
        first,
        name=f"{first.name[:70]} {shift + 1}/{players}",
        players_min=players,
        players_max=players,
        reason=REASON,
    )
    [seed] = marking.seeds_of(locks.DIRECTOR, [first.pk]).values()
    marking.give_seed(locks.DIRECTOR, made.pk, seed)
    DuplicateGame.objects.create(duplicates=found, shift=shift, tournament=made)
    operations.open(made.pk, reason=REASON)
    for user in User.objects.filter(pk__in=found.users).order_by("pk"):
        registration.register(user, made.pk)


def _end(found: DuplicateSet, why: str) -> None:
    found.ended_why = why[:300]
    found.save(update_fields=["ended_why"])
    log.warning("duplicate set ended", duplicates=found.pk, why=found.ended_why)
