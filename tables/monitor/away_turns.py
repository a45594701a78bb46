"""Notification of a turn to players whose seat no window controls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from django.db.models import QuerySet
from django.utils.translation import gettext

from accounts.models import User
from accounts.notifications.kinds import Notice, NotificationKind
from accounts.notifications.models import Way
from config import clock
from config.redis import room
from config.refusals import marked as _
from tables.dealer.state import TableState, Turn
from tables.models import Seat, Table
from tables.store import connections, fenced

SEATS_AT_ONCE = 2_000
"""Seats whose windows and states are read together."""


def find_turns(now: datetime, users: QuerySet[User]) -> Iterator[Notice]:
    """Yield the turns of seats that no window controls, each of them as one notice.

    A player who follows a notice, acts and closes the window again may be asked soon afterwards.
    One who does not come is absent after the first turn, so no table tells turn after turn.
    A turn is public when it is asked, and there is none while a decided hand is being shown.
    """
    seats = Seat.objects.filter(user__in=users, table__status=Table.Status.OPEN).order_by("pk")
    rows, last = seats.values_list("pk", "table_id", "user_id"), 0
    while some := list(rows.filter(pk__gt=last)[:SEATS_AT_ONCE]):
        last = some[-1][0]
        yield from _away_turns([(table, user) for _pk, table, user in some])


def _away_turns(pairs: Sequence[tuple[int, int]]) -> Iterator[Notice]:
    """Yield the turns of these tables and players that no window shows."""
    redis = room()
    connected = connections.connected_seats(redis, pairs, clock.redis_now_ms(redis))
    away = [pair for pair in pairs if pair not in connected]
    states = fenced.peek_open_all(redis, [table for table, _user in away]) if away else []
    for (_table, user), state in zip(away, states, strict=True):
        if state is not None and (turn := _turn_of(state, user)) is not None:
            yield _notice(state, turn, user)


def _turn_of(state: TableState, user: int) -> Turn | None:
    """Return the turn of a user at a table; an absent seat decides nothing."""
    seat, turn = state.seat_of(user), state.turn
    if turn is None or seat is None or seat.absent or turn.seat != seat.seat:
        return None
    return turn


def _notice(state: TableState, turn: Turn, user: int) -> Notice:
    number = state.number

    def words() -> tuple[str, str]:
        text = gettext("Table %(number)s waits for you, and no window of yours is open.")
        return gettext("Your turn"), text % {"number": number}

    return Notice(
        user=user,
        key=f"{state.table}:{state.epoch}:{state.hand_number}:{turn.turn}",
        words=words,
        link=f"/tables/{state.table}/",
        expires_at=datetime.fromtimestamp(turn.deadline_ms / 1_000, UTC),
    )


MY_TURN = NotificationKind(
    name="turn",
    title=_("My turn"),
    hint=_("when no window of mine shows the table"),
    ways=(Way.PUSH,),
    every_s=2,
    find=find_turns,
)
