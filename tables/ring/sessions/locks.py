"""Locks of ring games, and the wake of a table after a change is committed."""

from __future__ import annotations

from django.conf import settings
from django.db import transaction

from accounts.models import User
from config import redis
from tables.models import Table
from tables.ring.models import RingGame, RingSession
from tables.ring.money import DIRECTOR
from tables.ring.refusals import NoSuchRingGame, NoSuchRingTable, NotAtTable, PlayerHasLeft
from tables.store import keys, wakes


def game(game_id: int) -> RingGame:
    """Lock an open game; raises NoSuchRingGame."""
    rows = RingGame.objects.select_for_update(no_key=True, of=("self",))
    row = rows.filter(pk=game_id, state=RingGame.State.OPEN).first()
    if row is None:
        raise NoSuchRingGame
    return row


def table(table_id: int) -> Table:
    """Lock an open ring table, and wake it after the commit; raises NoSuchRingTable."""
    rows = Table.objects.select_for_update(no_key=True)
    row = rows.filter(pk=table_id, director=DIRECTOR, status=Table.Status.OPEN).first()
    if row is None:
        raise NoSuchRingTable
    wake_after_commit(table_id)
    return row


def session(user: User, session_id: int) -> RingSession:
    """Lock a session of this player and its table; raises NotAtTable."""
    if not RingSession.objects.filter(pk=session_id, user=user).exists():
        raise NotAtTable
    try:
        return live_session(session_id)
    except PlayerHasLeft as gone:
        raise NotAtTable from gone


def live_session(session_id: int) -> RingSession:
    """Lock a player's session, and its table unless it is in a rapid pool; raises PlayerHasLeft."""
    known = RingSession.objects.filter(pk=session_id).first()
    if known is None:
        raise PlayerHasLeft
    try:
        if known.table_id is not None:
            table(known.table_id)
    except NoSuchRingTable as gone:
        raise PlayerHasLeft from gone
    rows = RingSession.objects.select_for_update(no_key=True, of=("self",))
    live = rows.exclude(state=RingSession.State.LEFT).select_related("game", "user")
    row = live.filter(pk=session_id).first()
    if row is None:
        raise PlayerHasLeft
    return row


def wake_after_commit(table_id: int) -> None:
    """Let a waiting table ask its director again once this transaction is committed."""
    transaction.on_commit(lambda: _wake(keys.table(table_id)), robust=True)


def _wake(member: str) -> None:
    room = redis.room()
    wakes.pull(room, member)
    # An open table without a wake was never put into Redis: its creator died after the commit. The
    # settle queue rebuilds it.
    if wakes.due(room, member) is None:
        now_ms = wakes.now_ms(room, keys.shard(member, settings.SHARDS))
        wakes.reschedule(room, member, now_ms, "settle", None)
