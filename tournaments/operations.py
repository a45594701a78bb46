"""What operators and the room itself do to a tournament: open, start, pause, resume, cancel."""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import ledger
from accounts.models import User
from config import clock
from tables.models import Seat
from tournaments import bells, field, locks, money, offers, prizes
from tournaments.announcements import Outbox
from tournaments.announcements import tournament as stream_of
from tournaments.announcements import user as notices_of
from tournaments.client_events import (
    Cancelled,
    Opened,
    Paused,
    Resumed,
    Seated,
    Started,
    TournamentCancelled,
    TournamentPaused,
    TournamentResumed,
)
from tournaments.engine import levels, lifecycle
from tournaments.field import Stack
from tournaments.models import AuditRow, Entry, Move, Tournament
from tournaments.models.tournament import State
from tournaments.refusals import PrizesPaid, TooFewPlayers

PAUSED = "paused"
"""The reason an operator's pause gives for a clock that stands."""


def open(tournament_id: int, *, actor: User | None = None, reason: str = "") -> Tournament:
    """Registration begins (T-04)."""
    return _step(tournament_id, "open", _open, actor, reason)


def start(tournament_id: int, *, actor: User | None = None, reason: str = "") -> Tournament:
    """Seats are drawn and play begins; entries are closed from now on (T-04, T-14, T-16)."""
    return _step(tournament_id, "start", _start, actor, reason)


def pause(tournament_id: int, *, actor: User | None = None, reason: str = "") -> Tournament:
    """Every table stops after its hand, the clock at once (L-05)."""
    return _step(tournament_id, "pause", _pause, actor, reason)


def resume(tournament_id: int, *, actor: User | None = None, reason: str = "") -> Tournament:
    """All tables and the clock go on together (L-05)."""
    return _step(tournament_id, "resume", _resume, actor, reason)


def cancel(tournament_id: int, *, actor: User | None = None, reason: str = "") -> Tournament:
    """The tournament ends here and everybody gets everything back (`roll_back`, T-12)."""
    return _step(tournament_id, "cancel", _cancel, actor, reason)


def refund_preview(tournament: Tournament) -> tuple[int, int]:
    """How many entries a cancellation would pay back, and how much in cents together (T-12)."""
    back = [
        entry.paid_buy_in + entry.paid_fee
        for entry in tournament.entries.filter(state__in=REFUNDABLE)
    ]
    return len(back), sum(back)


REFUNDABLE = (*Entry.LIVE, Entry.State.OUT)

_Act = Callable[[Tournament, Outbox, str], None]


def _step(
    tournament_id: int, step: lifecycle.Step, act: _Act, actor: User | None, reason: str
) -> Tournament:
    """One transition under the lock, with its audit row; taking it twice changes nothing more."""
    with transaction.atomic():
        tournament = locks.tournament(tournament_id)
        if _is_done(tournament, step):
            return tournament
        before = tournament.state
        tournament.state = lifecycle.after(before, step)  # type: ignore[arg-type]
        outbox = Outbox()
        act(tournament, outbox, reason)
        tournament.save()
        AuditRow.objects.create(
            tournament=tournament,
            actor=actor,
            action=step,
            reason=reason,
            details={"before": before, "after": tournament.state},
        )
        outbox.write()
        transaction.on_commit(lambda: bells.wake(tournament_id), robust=True)
    return tournament


def _is_done(tournament: Tournament, step: lifecycle.Step) -> bool:
    reached = {"open": "registering", "start": "running", "pause": "paused", "cancel": "cancelled"}
    if step == "resume":
        return tournament.state == State.RUNNING
    return tournament.state == reached[step]


def _open(tournament: Tournament, outbox: Outbox, reason: str) -> None:
    outbox.tell(stream_of(tournament.pk), Opened())


def _start(tournament: Tournament, outbox: Outbox, reason: str) -> None:
    if tournament.entrants < tournament.players_min:
        raise TooFewPlayers(tournament.entrants, tournament.players_min)
    registered = tournament.entries.filter(state=Entry.State.REGISTERED)
    entries = {entry.pk: entry for entry in registered}
    assert len(entries) == tournament.entrants, "every entrant has an entry"
    now_ms = clock.database_now_ms()
    tournament.left = tournament.entrants
    tournament.started_ms = tournament.heartbeat_ms = now_ms
    prizes.fix(tournament)
    stacks = [
        Stack(entry, tournament.starting_stack, tournament.bank_ms, False)
        for entry in entries.values()
    ]
    outbox.tell(
        stream_of(tournament.pk),
        Started(
            entrants=tournament.entrants,
            tables=-(-tournament.entrants // tournament.seats_per_table),
            pool=tournament.pool or 0,
            prizes=tuple(tournament.prizes),
            at_ms=now_ms,
        ),
    )
    seats = field.seat(tournament, stacks, outbox)
    registered.update(state=Entry.State.SEATED)
    tournament.balance_version += 1
    _tell_seats(tournament, seats, outbox)
    offers.follow(tournament)


def _tell_seats(tournament: Tournament, seats: list[Seat], outbox: Outbox) -> None:
    for seat in seats:
        outbox.tell(
            notices_of(seat.user_id),
            Seated(tournament.pk, tournament.name, seat.table_id, seat.table.number, seat.seat),
        )


def _pause(tournament: Tournament, outbox: Outbox, reason: str) -> None:
    now_ms = clock.database_now_ms()
    tournament.set_clock(levels.stop(tournament.clock(), now_ms, PAUSED))
    outbox.tell(stream_of(tournament.pk), Paused(reason))
    notice = TournamentPaused(tournament.pk, tournament.name, reason)
    for user in _playing(tournament):
        outbox.tell(notices_of(user), notice)


def _resume(tournament: Tournament, outbox: Outbox, reason: str) -> None:
    now_ms = clock.database_now_ms()
    tournament.set_clock(levels.go_on(tournament.clock(), now_ms, PAUSED))
    outbox.tell(stream_of(tournament.pk), Resumed())
    notice = TournamentResumed(tournament.pk, tournament.name)
    for user in _playing(tournament):
        outbox.tell(notices_of(user), notice)
    bells.wake_tables_after_commit(tournament.pk)


def _cancel(tournament: Tournament, outbox: Outbox, reason: str) -> None:
    if tournament.entries.filter(prize__gt=0).exists():
        raise PrizesPaid
    entries = list(tournament.entries.filter(state__in=REFUNDABLE))
    overlay = prizes.overlay_of(tournament)
    _leave_all_seats(tournament)
    Entry.objects.filter(pk__in=[entry.pk for entry in entries]).update(
        state=Entry.State.REFUNDED, place=None
    )
    orders = money.refunds(tournament, entries)
    orders += money.overlay_back(tournament, overlay)
    if orders:
        ledger.transfer_all(orders)
    tournament.left = 0
    tournament.finished_at = timezone.now()
    outbox.tell(stream_of(tournament.pk), Cancelled(reason or _("The room cancelled it.")))
    for entry in entries:
        refund = entry.paid_buy_in + entry.paid_fee
        outbox.tell(
            notices_of(entry.user_id),
            TournamentCancelled(tournament.pk, tournament.name, refund, reason),
        )


def _leave_all_seats(tournament: Tournament) -> None:
    """Chips leave play with the tournament; a hand in play is superseded by the new epoch."""
    tables = locks.open_tables(tournament.pk)
    field.close(tables)
    Seat.objects.filter(table__in=tables).delete()
    tournament.moves.filter(state__in=Move.PENDING).update(state=Move.State.VOID)
    tournament.balance_version += 1


def _playing(tournament: Tournament) -> list[int]:
    seated = tournament.entries.filter(state=Entry.State.SEATED)
    return list(seated.order_by("user").values_list("user", flat=True))
