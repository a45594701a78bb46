"""Players of a rapid pool between two hands: who leaves, buys chips, is ready (A-03, X-03)."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone

from accounts.ledger import transfers
from accounts.ledger.transfers import Order
from config.postgres.updates import update_rows
from tables.models import Table
from tables.ring import money
from tables.ring.engine.sitting_out import KeptSeat, KeptTimes, kept_until_ms, reason_to_free
from tables.ring.models import RapidStay, RingGame, RingSession
from tables.ring.notices import RingNotices
from tables.ring.running import lifting
from tables.ring.sessions import top_up

LOOKED_AFTER_MAX = 100
"""Most players one boundary looks after; the next one goes on."""

CHANGED = (
    "state",
    "stack",
    "coming",
    "bought",
    "purchases",
    "left_with",
    "ended_at",
    "absent_since",
    "rebuy_until",
    "auto_top_up",
    "ready_at",
    "due_at",
)


class PoolBoundary:
    """A locked game and one locked table of it, between two hands; money is booked by `write`."""

    def __init__(self, game: RingGame, table: Table) -> None:
        self.game, self.table = game, table
        self.now = timezone.now()
        self.notices = RingNotices(table, game)
        self.orders: list[Order] = []
        self.more = False

    def look_after(self) -> None:
        """Let players who are due leave, receive chips, or be ready for a hand."""
        closing = self.game.state != RingGame.State.OPEN
        rows = RingSession.objects.filter(
            game=self.game, table=None, state=RingSession.State.SEATED
        )
        if closing:
            in_hand = RapidStay.objects.filter(ended=False, freed_chips=None)
            rows = rows.exclude(pk__in=in_hand.values("session")).order_by("pk")
        else:
            rows = rows.filter(due_at__lte=self.now).order_by("due_at")
        free = rows.select_for_update(no_key=True, skip_locked=True, of=("self",))
        due = list(free.select_related("user")[:LOOKED_AFTER_MAX])
        for session in due:
            session.game = self.game
            session.stack, session.coming = session.stack + session.coming, 0
            if self.game.frozen:
                self._begin_times_anew(session)
        staying = [session for session in due if not self._ends(session)]
        self._lift(staying, [session for session in due if session not in staying])
        for session in staying:
            self._place(session)
        update_rows(due, CHANGED)
        # Nobody looks after a locked player of a closing pool later: its last table waits.
        self.more = rows.exists() if closing else len(due) == LOOKED_AFTER_MAX

    def write(self) -> None:
        """Book all money of the boundary at once."""
        if self.orders:
            transfers.transfer_all(self.orders)

    def _begin_times_anew(self, session: RingSession) -> None:
        """Begin the times of a place anew: in a paused game players keep theirs."""
        if session.absent_since is not None:
            session.absent_since = self.now
        session.rebuy_until = None  # noted again for an empty stack

    def _ends(self, session: RingSession) -> bool:
        """End a session whose player leaves, was away too long, or has no chips left."""
        closing = self.game.state != RingGame.State.OPEN
        kept = self._kept(session, leaving=session.leaving or closing)
        reason = reason_to_free(kept, self._times, int(self.now.timestamp() * 1_000))
        if reason is None:
            return False
        self.notices.seat_freed(session, reason, session.stack)
        if session.stack:
            self.orders.append(money.cash_out(session, session.stack))
        session.state, session.left_with = RingSession.State.LEFT, session.stack
        session.stack, session.ended_at = 0, self.now
        session.ready_at = session.due_at = None
        return True

    def _lift(self, staying: list[RingSession], gone: list[RingSession]) -> None:
        """Buy chips for those who asked for a full stack before each hand."""
        asked = [row for row in staying if row.auto_top_up and row.stack < self.game.buy_in_max]
        found = lifting.amounts({row: row.stack for row in asked}, self.game, gone)
        for session, lifted in found.items():
            if lifted.amount:
                top_up.pay(session, lifted.amount)
                self.orders.append(money.buy_in(session, lifted.amount))
                session.stack, session.coming = session.stack + session.coming, 0
            else:
                session.auto_top_up = False
                self.notices.top_up_missed(session.user_id, lifted.balance, lifted.left)

    def _place(self, session: RingSession) -> None:
        """Let a player be dealt in, or note until when a place without a hand is kept."""
        if session.stack:
            session.rebuy_until = None
        elif session.rebuy_until is None:
            session.rebuy_until = self.now + timedelta(milliseconds=self.game.rebuy_ms)
        if session.stack and session.absent_since is None:
            session.ready_at, session.due_at = session.ready_at or self.now, None
            return
        until_ms = kept_until_ms(self._kept(session, leaving=False), self._times)
        session.ready_at = None
        session.due_at = None if until_ms is None else _from_ms(until_ms)

    def _kept(self, session: RingSession, *, leaving: bool) -> KeptSeat:
        return KeptSeat(
            chips=session.stack,
            leaving=leaving,
            absent_since_ms=_to_ms(session.absent_since),
            disconnected=session.lost_connection,
            rebuy_until_ms=_to_ms(session.rebuy_until),
        )

    @property
    def _times(self) -> KeptTimes:
        return KeptTimes(self.game.sit_out_ms, self.game.disconnect_ms)


def _to_ms(at: datetime | None) -> int | None:
    return None if at is None else int(at.timestamp() * 1_000)


def _from_ms(at_ms: int) -> datetime:
    return datetime.fromtimestamp(at_ms / 1_000, tz=timezone.get_default_timezone())
