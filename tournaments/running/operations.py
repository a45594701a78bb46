"""Life-cycle steps by operators and the room: open, start, pause, resume, cancel, message."""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction

from accounts.models import User
from config import clock, limits
from tables.models import Seat
from tournaments import locks
from tournaments.buying import closing
from tournaments.engine import levels, lifecycle
from tournaments.events import bells, standstill
from tournaments.events.client_events import Opened, Seated, Started
from tournaments.events.outbox import Outbox
from tournaments.events.outbox import tournament as stream_of
from tournaments.events.outbox import user as notices_of
from tournaments.events.rulings import RoomMessage, RoomSays
from tournaments.models import AuditRow, Entry, Tournament
from tournaments.models.tournament import State
from tournaments.prizes import deal_field, pool, promises, spins
from tournaments.prizes.money import Payments
from tournaments.refusals import BadMessage, NobodyListens, TooFewPlayers
from tournaments.running import cancelling
from tournaments.schedule import contradictions, making
from tournaments.seating import draws, shootout
from tournaments.seating.draws import CarriedStack

PAUSED = "paused"
"""Reason stored with the level clock while an operator's pause stops it."""


def open(tournament_id: int, *, actor: User | None = None, reason: str = "") -> Tournament:
    """Open registration and set the room's promises aside (T-04).

    Raises RoomCannotPay, or BadSpec for a satellite whose target is closed.
    """
    return _step(tournament_id, "open", _open, actor, reason)


def start(tournament_id: int, *, actor: User | None = None, reason: str = "") -> Tournament:
    """Draw the seats and begin play; entries can no longer unregister (T-04, T-14, T-16)."""
    return _step(tournament_id, "start", _start, actor, reason)


def pause(tournament_id: int, *, actor: User | None = None, reason: str = "") -> Tournament:
    """Stop the clock at once and every table after its hand (L-05)."""
    return _step(tournament_id, "pause", _pause, actor, reason)


def resume(tournament_id: int, *, actor: User | None = None, reason: str = "") -> Tournament:
    """Restart all tables and the clock together (L-05)."""
    return _step(tournament_id, "resume", _resume, actor, reason)


def cancel(tournament_id: int, *, actor: User | None = None, reason: str = "") -> Tournament:
    """Cancel the tournament and refund all entries in full (`roll_back`, T-12)."""
    return _step(tournament_id, "cancel", cancelling.roll_back, actor, reason)


def cancel_forward(
    tournament_id: int, *, actor: User | None = None, reason: str = ""
) -> Tournament:
    """Cancel the tournament and share what is unpaid among entries left (`roll_forward`, T-12)."""
    return _step(tournament_id, "cancel", cancelling.roll_forward, actor, reason)


def message(
    tournament_id: int,
    text: str,
    *,
    actor: User | None = None,
    reason: str = "",
    token: str = "",
) -> None:
    """Send a message of the room to all viewers and to every live entry's player.

    `token` identifies the message: a repeated token sends nothing. Raises NobodyListens or
    BadMessage.
    """
    with transaction.atomic():
        tournament = locks.tournament(tournament_id)
        if tournament.state in lifecycle.ENDED:
            raise NobodyListens
        text = text.strip()
        if not 0 < len(text) <= limits.MESSAGE_MAX_CHARACTERS:
            raise BadMessage
        sent = tournament.audit.filter(action="message", details__token=token)
        if token and sent.exists():
            return
        outbox = Outbox()
        outbox.tell(stream_of(tournament.pk), RoomMessage(text))
        live = tournament.entries.filter(state__in=Entry.LIVE).values_list("user", flat=True)
        for user in live.distinct().order_by("user"):
            outbox.tell(notices_of(user), RoomSays(tournament.pk, tournament.name, text))
        AuditRow.objects.create(
            tournament=tournament,
            actor=actor,
            action="message",
            reason=reason,
            details={"text": text, "token": token},
        )
        outbox.write()


_Act = Callable[[Tournament, Outbox, str], None]


def _step(
    tournament_id: int, step: lifecycle.Step, act: _Act, actor: User | None, reason: str
) -> Tournament:
    """Make one transition under the lock with its audit row; a repeated step changes nothing."""
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
    contradictions.check_target(tournament)
    promises.set_aside(tournament)
    outbox.tell(stream_of(tournament.pk), Opened())


def _start(tournament: Tournament, outbox: Outbox, reason: str) -> None:
    if tournament.entrants < tournament.players_min:
        raise TooFewPlayers(tournament.entrants, tournament.players_min)
    registered = tournament.entries.filter(state=Entry.State.REGISTERED)
    entries = {entry.pk: entry for entry in registered}
    assert len(entries) == tournament.entrants, "the count of entrants matches the entries"
    now_ms = clock.database_now_ms()
    tournament.left = tournament.entrants
    tournament.started_ms = tournament.heartbeat_ms = now_ms
    closing.begin(tournament)
    spins.draw(tournament)
    if not tournament.sells:
        payments = Payments()
        pool.fix(tournament, payments)
        payments.book()
    stacks = [
        CarriedStack(entry, tournament.starting_stack, tournament.bank_ms)
        for entry in entries.values()
    ]
    outbox.tell(
        stream_of(tournament.pk),
        Started(
            entrants=tournament.entrants,
            tables=-(-tournament.entrants // tournament.seats_per_table),
            pool=pool.pool_now(tournament),
            prizes=tuple(pool.payable(tournament)),
            at_ms=now_ms,
        ),
    )
    spins.tell(tournament, outbox)
    shootout.begin(tournament, outbox)
    seats = draws.seat(tournament, stacks, outbox)
    registered.update(state=Entry.State.SEATED)
    tournament.balance_version += 1
    _tell_seats(tournament, seats, outbox)
    if len({seat.table_id for seat in seats}) == 1:
        deal_field.tell_possible(tournament, [seat.user_id for seat in seats], outbox)
    making.follow(tournament)
    if tournament.template_id is not None:
        transaction.on_commit(lambda: bells.wake(bells.SCHEDULE), robust=True)


def _tell_seats(tournament: Tournament, seats: list[Seat], outbox: Outbox) -> None:
    for seat in seats:
        outbox.tell(
            notices_of(seat.user_id),
            Seated(tournament.pk, tournament.name, seat.table_id, seat.table.number, seat.seat),
        )


def _pause(tournament: Tournament, outbox: Outbox, reason: str) -> None:
    now_ms = clock.database_now_ms()
    tournament.set_clock(levels.stop(tournament.clock(), now_ms, PAUSED))
    standstill.tell_paused(tournament, reason, outbox)


def _resume(tournament: Tournament, outbox: Outbox, reason: str) -> None:
    now_ms = clock.database_now_ms()
    tournament.set_clock(levels.go_on(tournament.clock(), now_ms, PAUSED))
    tournament.go_on_at(now_ms)
    standstill.tell_resumed(tournament, outbox)
    bells.wake_tables_after_commit(tournament.pk)
