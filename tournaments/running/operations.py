"""Steps by operators and the room: open, start, pause, resume, level clock, cancel, message."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial

from django.utils import timezone

from accounts.models import User
from config import clock, limits
from tables.dealer.carried import fresh
from tournaments import club_people, progress
from tournaments.buying import closing, offers
from tournaments.engine import levels, lifecycle
from tournaments.events import bells, standstill
from tournaments.events.client_events import LevelProlonged, Opened, Started
from tournaments.events.rulings import RoomMessage, RoomSays
from tournaments.events.unit_of_work import TournamentTransaction, tournament_transaction
from tournaments.models import AuditRow, Entry, Tournament
from tournaments.models.tournament import State
from tournaments.prizes import deal_field, pool, promises, spins
from tournaments.refusals import BadMessage, ClockJustSet, NobodyListens, TooFewPlayers
from tournaments.running import cancelling, deals, forward, opening, settlement
from tournaments.schedule import making, target_checks
from tournaments.seating import draws, shootout

PAUSED = "paused"
"""Reason stored with the level clock while an operator's pause stops it."""

SET_AGAIN_S = 5
"""Seconds after which the level clock can be set by hand again, so that a second click is none."""

PLAYERS_MIN = 2
"""Least different players of any tournament, however many entries each of them has (T-01)."""


def open(tournament_id: int, *, actor: User | None = None, reason: str = "") -> Tournament:
    """Open registration and set the room's promises aside (T-04).

    Raises RoomCannotPay or ClubCannotPay, or BadSpec for a satellite whose target is closed.
    """
    return _step(tournament_id, "open", actor, reason)


def start(tournament_id: int, *, actor: User | None = None, reason: str = "") -> Tournament:
    """Draw the seats and begin play; entries can no longer unregister (T-04, T-14, T-16)."""
    return _step(tournament_id, "start", actor, reason)


def pause(tournament_id: int, *, actor: User | None = None, reason: str = "") -> Tournament:
    """Stop the clock at once and every table after its hand (L-05).

    Staff of the room also take over the pause of a club's manager, who cannot end it any more.
    """
    return _step(tournament_id, "pause", actor, reason)


def resume(tournament_id: int, *, actor: User | None = None, reason: str = "") -> Tournament:
    """Restart all tables and the clock together (L-05).

    Raises TournamentHeldByRoom for a club's manager where staff of the room paused.
    """
    return _step(tournament_id, "resume", actor, reason)


def next_level(
    tournament_id: int, *, actor: User | None = None, reason: str = "", item: int | None = None
) -> Tournament:
    """End the level or break in play; tables play the next level from their next hand on (L-04).

    Raises LastLevel, ClockJustSet, or LevelOver when another one than the `item` seen is in play.
    """
    return _step(tournament_id, "next_level", actor, reason, partial(_end_level, item=item))


def more_time(
    tournament_id: int, *, actor: User | None = None, reason: str = "", item: int | None = None
) -> Tournament:
    """Add `levels.MORE_TIME_MS` to the level or break in play, up to its whole time (L-05).

    Raises LevelByHands, and what `next_level` does.
    """
    return _step(tournament_id, "more_time", actor, reason, partial(_prolong_level, item=item))


def cancel(tournament_id: int, *, actor: User | None = None, reason: str = "") -> Tournament:
    """Cancel the tournament and refund all entries in full (`roll_back`, T-12)."""
    return _step(tournament_id, "cancel", actor, reason)


def cancel_forward(
    tournament_id: int, *, actor: User | None = None, reason: str = ""
) -> Tournament:
    """Cancel the tournament and share what is unpaid among the entries left (T-12)."""
    return _step(tournament_id, "cancel", actor, reason, forward.roll_forward)


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
    with tournament_transaction(tournament_id) as tx:
        tournament = tx.tournament
        if tournament.state in lifecycle.ENDED:
            raise NobodyListens
        text = text.strip()
        if not 0 < len(text) <= limits.MESSAGE_MAX_CHARACTERS:
            raise BadMessage
        sent = tournament.audit.filter(action="message", details__token=token)
        if token and sent.exists():
            return
        tx.announce(RoomMessage(text))
        live = tournament.entries.filter(state__in=Entry.LIVE).values_list("user", flat=True)
        for user in live.distinct().order_by("user"):
            tx.notify(user, RoomSays(tournament.pk, tournament.name, text))
        AuditRow.objects.create(
            tournament=tournament,
            actor=actor,
            action="message",
            reason=reason,
            details={"text": text, "token": token},
        )


def missing_players(tournament: Tournament) -> TooFewPlayers | None:
    """Return the refusal of a start with too few entries, or of one player alone (T-01, T-04).

    All entries of one player would merge at once, and that player would win what the room added.
    """
    if tournament.entrants < tournament.players_min:
        return TooFewPlayers(tournament.entrants, tournament.players_min)
    if not tournament.several_at_once:
        return None
    registered = tournament.entries.filter(state=Entry.State.REGISTERED)
    players = registered.values("user").distinct().count()
    return TooFewPlayers(players, PLAYERS_MIN) if players < PLAYERS_MIN else None


_Act = Callable[[TournamentTransaction, str], None]


def take(
    tx: TournamentTransaction,
    step: lifecycle.Step,
    *,
    actor: User | None = None,
    reason: str = "",
    act: _Act | None = None,
) -> None:
    """Make one transition with its audit row; a repeated step changes nothing.

    A refused step leaves the row of the tournament as it was. `act` replaces the step's own act.
    """
    tournament, before = tx.tournament, tx.tournament.state
    holds = step == "pause" and club_people.acts_for_room(tournament, actor)
    if _is_done(tournament, step):
        if holds and not club_people.is_held_by_room(tournament):
            _record(tournament, step, actor, reason, before, holds)
        return
    if step == "resume":
        club_people.require_resumable(tournament, actor)
    # Columns with choices are typed as str.
    tournament.state = lifecycle.after(before, step)  # type: ignore[arg-type]
    try:
        (act or _ACTS[step])(tx, reason)
    except Exception:
        tournament.state = before
        raise
    _record(tournament, step, actor, reason, before, holds)
    tx.wake()


def _record(
    tournament: Tournament, step: str, actor: User | None, reason: str, before: str, holds: bool
) -> None:
    """Write the audit row of a step; a pause that `holds` is ended by staff alone."""
    details = {"before": before, "after": tournament.state}
    more = {club_people.BY_ROOM: True} if holds else {}
    row = AuditRow(tournament=tournament, actor=actor, action=step, reason=reason)
    row.details = details | more
    row.save()


def _step(
    tournament_id: int,
    step: lifecycle.Step,
    actor: User | None,
    reason: str,
    act: _Act | None = None,
) -> Tournament:
    with tournament_transaction(tournament_id) as tx:
        take(tx, step, actor=actor, reason=reason, act=act)
    return tx.tournament


def _is_done(tournament: Tournament, step: lifecycle.Step) -> bool:
    reached = {"open": "registering", "start": "running", "pause": "paused", "cancel": "cancelled"}
    if step == "resume":
        return tournament.state == State.RUNNING
    return tournament.state == reached.get(step)


def _open(tx: TournamentTransaction, reason: str) -> None:
    target_checks.check_target(tx.tournament)
    promises.set_aside(tx)
    tx.announce(Opened())


def _start(tx: TournamentTransaction, reason: str) -> None:
    tournament = tx.tournament
    if refusal := missing_players(tournament):
        raise refusal
    now_ms = clock.database_now_ms()
    tournament.left = tournament.entrants
    tournament.started_ms = tournament.heartbeat_ms = now_ms
    closing.begin(tournament)
    spins.draw(tournament)
    if not tournament.sells:
        pool.fix(tx)
    tx.announce(
        Started(
            entrants=tournament.entrants,
            tables=-(-tournament.entrants // tournament.table_size),
            pool=pool.pool_now(tournament),
            prizes=tuple(pool.payable(tournament)),
            at_ms=now_ms,
        )
    )
    spins.tell(tx)
    shootout.begin(tx)
    if tournament.pool is not None:
        # While anything is sold the field may grow, and hand-for-hand would close the sales (E-07).
        settlement.begin_hand_for_hand(tx)
    users = draws.draw_field(tx, fresh(tournament.starting_stack, tournament.bank_ms))
    assert len(users) == tournament.entrants, "the count of entrants matches the entries"
    tournament.balance_version += 1
    opening.begin(tx)
    if tournament.tables_opened == 1:
        deal_field.tell_possible(tx, users.values())
    making.follow(tournament)
    if tournament.template_id is not None:
        tx.after_commit(lambda: bells.wake(bells.SCHEDULE))


def _pause(tx: TournamentTransaction, reason: str) -> None:
    stands_ms = progress.time_ms(tx.tournament)
    tx.tournament.set_clock(levels.stop(tx.tournament.clock(), stands_ms, PAUSED))
    standstill.tell_paused(tx, reason)


def _resume(tx: TournamentTransaction, reason: str) -> None:
    tournament = tx.tournament
    now_ms = clock.database_now_ms()
    since_ms = progress.outage_since_ms(tournament, now_ms)
    if since_ms is not None:  # the next tick finds no outage any more
        offers.prolong(tx, since_ms, now_ms)
        deals.prolong(tx, since_ms, now_ms)
        tournament.heartbeat_ms = now_ms
    tournament.set_clock(levels.go_on(tournament.clock(), now_ms, PAUSED))
    tournament.go_on_at(now_ms)
    standstill.tell_resumed(tx)
    tx.wake_all_tables()


def _end_level(tx: TournamentTransaction, _reason: str, item: int | None = None) -> None:
    # The tick that follows tells the level, and wakes the tables after a break.
    _set_by_hand(tx.tournament, "next_level", item)


def _prolong_level(tx: TournamentTransaction, _reason: str, item: int | None = None) -> None:
    now_ms = _set_by_hand(tx.tournament, "more_time", item)
    left_ms = progress.position(tx.tournament, now_ms).ends_in_ms
    assert left_ms is not None, "only an item by time is prolonged"
    tx.announce(LevelProlonged(now_ms + left_ms))


def _set_by_hand(tournament: Tournament, step: str, item: int | None) -> int:
    """Move the mark of the running item; return the time as which the clock was set, in ms."""
    _may_set_again(tournament)
    now_ms = progress.time_ms(tournament)
    tournament.set_mark(progress.mark_by_hand(tournament, step, now_ms, item))
    return now_ms


def _may_set_again(tournament: Tournament) -> None:
    """Raise ClockJustSet within SET_AGAIN_S of a step that set the clock by hand."""
    since = timezone.now() - timedelta(seconds=SET_AGAIN_S)
    by_hand = tournament.audit.filter(action__in=("next_level", "more_time"))
    if by_hand.filter(at__gt=since).exists():
        raise ClockJustSet


_ACTS: dict[lifecycle.Step, _Act] = {
    "open": _open,
    "start": _start,
    "pause": _pause,
    "resume": _resume,
    "next_level": _end_level,
    "more_time": _prolong_level,
    "cancel": cancelling.roll_back,
}
