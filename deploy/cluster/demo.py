"""Demo of a fresh room: an open tournament of bots to join, Sit & Gos and ring games."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone

from deploy.cluster.ring_games import JACKPOTS, open_usual
from tables.ring.models import RingGame
from tournaments.engine import lifecycle
from tournaments.engine.presets import PRESETS
from tournaments.engine.structure import BlindStructure, timed
from tournaments.events.unit_of_work import TournamentTransaction, tournament_transaction
from tournaments.models import Entry, Structure, Tournament
from tournaments.models.options.buying import LateEnds
from tournaments.models.options.formats import Format
from tournaments.models.structure import encoded
from tournaments.models.tournament import Start, State
from tournaments.running import operations
from tournaments.schedule import making
from tournaments.streams import lobby

OPEN_TABLE = "Open table"
BOTS_COME = timedelta(seconds=25)
"""Time in which the bots of a room that starts are connected and registered."""
REPEAT_S = 900
LATE_LEVELS = 6
"""Levels during which the open table is entered: people need not wait for the next one."""
OVER = (State.FINISHED, State.CANCELLED)


def offer_demo() -> None:
    """Open the demo's Sit & Gos and ring games that are not open or running."""
    # Bots fill the oldest first, and leave the last seat of a Sit & Go to people.
    for name, format, seats in (
        ("Heads-up", Format.HEADS_UP, 2),
        ("Six seats", Format.FREEZEOUT, 6),
        ("Fifty50", Format.FIFTY_FIFTY, 4),
        ("Spin", Format.SPIN, 3),
    ):
        _series(
            name,
            Start.SIT_AND_GO,
            structure("turbo"),
            format=format,
            players_min=seats,
            players_max=seats,
            seats_per_table=seats,
            buy_in=5_00,
            fee=50,
        )
    _ring_games()


def offer_open_table(bots: int) -> None:
    """Open the demo's scheduled table, to start once the bots had time to register.

    Call it just before the bots start. A table that waits since an earlier run starts then, too: at
    its own time the room's clock may cancel it before the bots come, and open the next one a
    quarter of an hour later.
    """
    for pk in _waiting_tables():
        with tournament_transaction(pk) as tx:
            _start_with_bots(tx)
    _series(
        OPEN_TABLE,
        Start.SCHEDULED,
        structure("demo", level_ms=120_000),
        starts_at=timezone.now() + BOTS_COME,
        repeat_every_s=REPEAT_S,
        late_ends=LateEnds.AT_LEVEL,
        late_value=LATE_LEVELS,
        deals_allowed=True,
        players_min=2,
        players_max=max(4, bots * 2),
        seats_per_table=6,
        buy_in=10_00,
        fee=1_00,
    )


def _waiting_tables() -> list[int]:
    rows = Tournament.objects.filter(name=OPEN_TABLE, state=State.REGISTERING)
    return list(rows.values_list("pk", flat=True))


def _start_with_bots(tx: TournamentTransaction) -> None:
    """Set the start of a waiting table; a later one stays where people wait, or another is open."""
    tournament, due = tx.tournament, timezone.now() + BOTS_COME
    assert tournament.starts_at is not None, "the open table is scheduled"
    people = tournament.entries.filter(state=Entry.State.REGISTERED, user__is_bot=False)
    others = Tournament.objects.filter(name=OPEN_TABLE, state__in=lifecycle.PLAYED)
    if tournament.starts_at >= due and (people.exists() or others.exists()):
        return
    if tournament.state == State.REGISTERING:
        tournament.starts_at = due
        lobby.tell_change(tx)
        tx.wake()


def _ring_games() -> None:
    """Open a small ring game, one of pot limit Omaha, one with jackpots, and a rapid pool."""
    for name, big_blind, terms in (
        ("Small blinds", 10, {"entry_level": True}),
        ("Pot-limit Omaha", 50, {"variant": "omaha", "limit": "pot_limit"}),
        ("Jackpot table", 1_00, {"jackpots": JACKPOTS}),
        ("Rapid Hold'em", 20, {"rapid": True, "straddle": False}),
    ):
        if RingGame.objects.filter(name=name).exclude(state=RingGame.State.CLOSED).exists():
            continue
        open_usual(name, big_blind, tables_max=3, **terms)


def structure(name: str, level_ms: int | None = None) -> Structure:
    """Return the turbo preset as a row called `name`; `level_ms` sets all levels and
    drops breaks.
    """
    found = Structure.objects.filter(name=name).first()
    if found is not None:
        return found
    preset = PRESETS["turbo"]
    levels = preset.structure
    if level_ms is not None:
        levels = timed(BlindStructure(items=levels.levels), level_ms=level_ms)
    return Structure.objects.create(
        name=name, items=encoded(levels), starting_stack=preset.starting_stack
    )


def _series(name: str, start: Start, levels: Structure, **offer: Any) -> None:
    if Tournament.objects.filter(name=name).exclude(state__in=OVER).exists():
        return
    made = making.create_from_structure(levels, name=name, start=start, repeats=True, **offer)
    operations.open(made.pk, reason="demo")
