"""A ring table between two hands: players who leave, arrive and buy chips (A-03, X-03)."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone

from accounts.ledger import transfers
from accounts.ledger.transfers import Order
from config.postgres.updates import update_rows
from tables.dealer import carried
from tables.dealer.carried import CarriedValues
from tables.dealer.grants import Departure
from tables.gateway.rights import rights_changed
from tables.models import Seat, Table
from tables.ring import money
from tables.ring.engine.sitting_out import KeptSeat, KeptTimes, reason_to_free
from tables.ring.models import RingGame, RingSession
from tables.ring.notices import RingNotices
from tables.ring.running import lifting, presence
from tables.ring.running.penalties import OpenPenalties
from tables.ring.sessions import top_up

CHANGED = (
    "state",
    "pledge",
    "coming",
    "bought",
    "purchases",
    "left_with",
    "ended_at",
    "absent_since",
    "lost_connection",
    "rebuy_until",
    "is_new",
    "posts_now",
    "skips_big_blind",
    "auto_top_up",
    "owes_small",
    "owes_big",
    "after_hand",
    "after_dealt",
    "after_owes_small",
    "after_owes_big",
)
"""Columns of a session that a boundary may change."""


class RingBoundary:
    """A locked ring table between two hands, with its seats and sessions by entry.

    `bought` are chips added at this boundary by entry, `departures` the entries that leave at it,
    `sits_out` those that sit out from now on because they refuse the big blind (S4).
    Changed rows and money are written once, by `write`.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.game = RingGame.objects.select_related("rake_table").get(pk=table.game)
        self.now = timezone.now()
        self.bought: dict[int, int] = {}
        self.departures: list[Departure] = []
        self.sits_out: set[int] = set()
        self._orders: list[Order] = []
        self._gone: list[RingSession] = []
        rows = RingSession.objects.select_for_update(no_key=True, of=("self",))
        live = rows.filter(table=table).exclude(state=RingSession.State.LEFT)
        self.sessions = {row.pk: row for row in live.select_related("user").order_by("seat")}
        self.seats = {row.entry: row for row in Seat.objects.filter(table=table).order_by("seat")}
        self.notices = RingNotices(table, self.game)
        self.penalties = OpenPenalties(self.sessions)

    def pass_boundary(self) -> None:
        """Take over debts of the settled hand; let players leave, arrive and receive chips."""
        self._take_over_debts()
        self._note_absences()
        self._free_seats()
        self._lift_stacks()
        self._free_seats()  # of those whose stack was not lifted
        self._seat_arrivals()

    def write(self) -> None:
        """Write the changed sessions and book all money of the boundary at once."""
        update_rows(self.sessions.values(), CHANGED)
        if self._orders:
            transfers.transfer_all(self._orders)

    def sit_out(self, session: RingSession, *, granted: bool) -> None:
        """Let a seated player sit out from now on; the choice that asked for it is used up (S4).

        A granted hand is stored. Any other answer is made anew if it is lost before the table has
        it: the choice stays until the seat is absent.
        """
        self.sits_out.add(session.pk)
        session.absent_since = self.now
        if granted:
            session.skips_big_blind = False

    def _take_over_debts(self) -> None:
        """Replace the debts of players by those after the last hand, unless it became void."""
        for session in self.sessions.values():
            if session.after_hand is not None and session.after_hand <= self.table.hand:
                session.owes_small = session.after_owes_small
                session.owes_big = session.after_owes_big
                if session.after_dealt:
                    session.is_new = session.posts_now = False
            session.after_hand = None
        self.penalties.take_over(self.table.hand)

    def _note_absences(self) -> None:
        """Note since when players are absent, and until when an empty stack may be bought again.

        In a paused game these times begin anew at each boundary: its players keep their seats.
        """
        for seat in self.seats.values():
            session = self.sessions[seat.entry]
            self._note_absence(session, seat.absent)
            if seat.chips or session.coming:
                session.rebuy_until = None
            elif session.rebuy_until is None or self.game.frozen:
                session.rebuy_until = self.now + timedelta(milliseconds=self.game.rebuy_ms)

    def _note_absence(self, session: RingSession, absent: bool) -> None:
        """Note whether the connection is why a player is absent, as long as it is gone (X-03).

        A loss shortens no absence by choice, unless that has no end of its own.
        """
        lost = absent and presence.is_away(self.table.pk, session.user_id)
        begins = session.absent_since is None or not self.game.sit_out_ms
        anew = self.game.frozen or (lost and begins and not session.lost_connection)
        if not absent:
            session.absent_since = None
        elif session.absent_since is None or anew:
            session.absent_since = self.now
        session.lost_connection = lost and (begins or session.lost_connection)
        if absent and not session.lost_connection:
            session.skips_big_blind = False  # used up (S4)

    def _free_seats(self) -> None:
        """Free the seats of players who leave, were away too long, or have no chips left.

        An empty stack that the room is asked to lift is lifted first.
        """
        times = KeptTimes(self.game.sit_out_ms, self.game.disconnect_ms)
        closing = self.game.state != RingGame.State.OPEN
        for session in list(self.sessions.values()):
            seat = self.seats.get(session.pk)
            chips = (seat.chips if seat else 0) + session.coming
            kept = KeptSeat(
                chips=chips,
                leaving=session.leaving or closing,
                absent_since_ms=_ms(session.absent_since),
                disconnected=session.lost_connection,
                rebuy_until_ms=_ms(session.rebuy_until),
            )
            reason = reason_to_free(kept, times, _to_ms(self.now))
            if reason == "no_chips" and session.auto_top_up and seat is not None:
                reason = reason_to_free(kept._replace(chips=1), times, _to_ms(self.now))
            if reason is not None:
                self._end(session, chips)
                self.notices.seat_freed(session, reason, chips)

    def _end(self, session: RingSession, chips: int) -> None:
        """End a session: its seat is free, its stack goes back to the account (A-03)."""
        if session.pk in self.seats:
            self.seats.pop(session.pk).delete()
            self.departures.append(Departure(session.pk, "left"))
        if chips:
            self._orders.append(money.cash_out(session, chips))
        session.state, session.coming, session.left_with = RingSession.State.LEFT, 0, chips
        session.ended_at, session.after_hand = self.now, None
        # Written at once: the seat is offered to waiting players at this very boundary.
        session.save(update_fields=CHANGED)
        self._gone.append(self.sessions.pop(session.pk))
        if not self.game.is_listed:
            # A seat admits its player to the table also after a membership: sockets ask again.
            rights_changed(session.user_id)

    def _lift_stacks(self) -> None:
        """Buy chips for those who asked for a full stack before each hand, as far as they can."""
        asked = {
            row: self.seats[row.pk].chips + row.coming
            for row in self.sessions.values()
            if row.auto_top_up and row.pk in self.seats
        }
        for session, lifted in lifting.amounts(asked, self.game, self._gone).items():
            if lifted.amount:
                top_up.pay(session, lifted.amount)
                self._orders.append(money.buy_in(session, lifted.amount))
            elif asked[session] < self.game.buy_in_max:  # asked once, told once
                session.auto_top_up = False
                self.notices.top_up_missed(session.user_id, lifted.balance, lifted.left)

    def _seat_arrivals(self) -> None:
        """Seat the arriving players, and put bought chips in front of the others."""
        for session in self.sessions.values():
            seat = self.seats.get(session.pk)
            if seat is None:
                self.seats[session.pk] = Seat.objects.create(
                    table=self.table,
                    seat=session.seat,
                    entry=session.pk,
                    user=session.user,
                    name=session.name,
                    **carried.copied(_arriving(session, self.game)),
                )
                # The grant that seats the player calls the pledge; no other one may.
                session.state, session.pledge = RingSession.State.SEATED, b""
            elif session.coming:
                seat.chips += session.coming
                seat.save(update_fields=["chips"])
                self.bought[session.pk] = session.coming
            session.coming = 0


def _arriving(session: RingSession, game: RingGame) -> CarriedValues:
    """Return the values with which the player of a session takes the seat."""
    pledge = bytes(session.pledge)
    return carried.resumed(session.coming, game.bank_ms, session.showdown, pledge=pledge)


def _ms(at: datetime | None) -> int | None:
    return None if at is None else _to_ms(at)


def _to_ms(at: datetime) -> int:
    return int(at.timestamp() * 1_000)
