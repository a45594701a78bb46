"""Next hand of a table of a rapid pool, of the players who are ready longest (R-03)."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from config import entropy
from tables.dealer import carried
from tables.dealer.carried import CarriedValues
from tables.models import Seat, Table
from tables.ring.engine.rapid import (
    RapidHand,
    RapidPlayer,
    RapidTerms,
    RapidView,
    RapidWait,
    plan_rapid_hand,
)
from tables.ring.models import RapidStay, RingGame, RingSession


class SeatedHand(NamedTuple):
    """A planned hand with its stays and their rows at the table, in the order of seats."""

    hand: RapidHand
    stays: tuple[RapidStay, ...]
    rows: tuple[Seat, ...]


def plan(game: RingGame, now: datetime) -> tuple[RapidHand | RapidWait, dict[int, RingSession]]:
    """Plan a hand of a locked game from the longest ready players, whose sessions are locked."""
    rows = RingSession.objects.select_for_update(no_key=True, skip_locked=True, of=("self",))
    ready = rows.filter(game=game, table=None, ready_at__isnull=False).order_by("ready_at", "pk")
    sessions = {row.pk: row for row in ready.select_related("user")[: game.seats_max]}
    view = RapidView(
        ready=tuple(_player(session) for session in sessions.values()),
        pool=players(game),
        now_ms=_to_ms(now),
    )
    terms = RapidTerms(
        seats_max=game.seats_max,
        pool_min=game.pool_min,
        wait_ms=game.wait_ms,
        blinds=game.has_blinds,
        s0_order=game.s0_order,
    )
    planned = plan_rapid_hand(
        view, terms, shuffle=lambda entries: entropy.shuffled(entries, entropy.system())
    )
    return planned, sessions


def seat(
    game: RingGame, table: Table, number: int, hand: RapidHand, sessions: dict[int, RingSession]
) -> SeatedHand:
    """Seat the players of a planned hand at a locked, empty table, each with the whole stack."""
    stays = RapidStay.objects.bulk_create(
        RapidStay(
            session=sessions[session],
            table=table,
            hand=number,
            seat=place,
            chips=sessions[session].stack,
            big_blind=place == hand.positions.big_blind,
            small_blind=place == hand.positions.small_blind,
        )
        for place, session in sorted(hand.entries.items())
    )
    rows = Seat.objects.bulk_create(
        Seat(
            table=table,
            seat=stay.seat,
            entry=stay.pk,
            user=stay.session.user,
            name=stay.session.name,
            newcomer=False,
            **carried.copied(_carried(stay)),
        )
        for stay in stays
    )
    dealt = RingSession.objects.filter(pk__in=hand.entries.values())
    # The pledge is called by this hand: it must not be called again.
    dealt.update(stack=0, ready_at=None, due_at=None, pledge=b"")
    return SeatedHand(hand, tuple(stays), tuple(rows))


def _carried(stay: RapidStay) -> CarriedValues:
    session = stay.session
    return carried.resumed(
        stay.chips, session.bank_ms, session.showdown, pledge=bytes(session.pledge)
    )


def players(game: RingGame) -> int:
    """Count the players of a pool who are ready or in a hand: with enough of them hands begin."""
    live = RingSession.objects.filter(game=game, table=None, state=RingSession.State.SEATED)
    ready = live.filter(ready_at__isnull=False).count()
    playing = RapidStay.objects.filter(session__game=game, ended=False, freed_chips=None)
    return ready + playing.count()


def _player(session: RingSession) -> RapidPlayer:
    assert session.ready_at is not None
    return RapidPlayer(
        entry=session.pk,
        ready_ms=_to_ms(session.ready_at),
        since_big=session.since_big,
        since_small=session.since_small,
    )


def _to_ms(at: datetime) -> int:
    return int(at.timestamp() * 1_000)
