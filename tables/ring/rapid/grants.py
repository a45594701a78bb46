"""Grant of a hand of a rapid pool: all seats are dealt in, at planned positions (R-03)."""

from __future__ import annotations

from tables.dealer import carried
from tables.dealer.grants import Departure, Grant, RosterSeat
from tables.models import Table
from tables.ring.models import RingGame
from tables.ring.rapid.plans import SeatedHand
from tables.ring.running import terms
from tables.workers import granted_hands


def grant(
    game: RingGame, table: Table, hand: int, seated: SeatedHand, departures: tuple[Departure, ...]
) -> Grant:
    """Store and return the grant of a hand whose players sit at a locked table."""
    assert hand == table.hand + 1, "hands are granted in order"
    granted = Grant(
        hand=hand,
        rules=terms.rules(game, len(seated.stays)),
        level=0,
        round=0,
        timing=terms.timing(game),
        roster=tuple(
            RosterSeat(
                seat=row.seat,
                entry=row.entry,
                user=row.user_id,
                name=row.name,
                newcomer=False,
                session=stay.session_id,
                **carried.copied(row),
            )
            for stay, row in zip(seated.stays, seated.rows, strict=True)
        ),
        departures=departures,
        newcomers_wait=False,
        positions=seated.hand.positions,
        frees_folded=True,
    )
    granted_hands.keep(table, granted)
    return granted
