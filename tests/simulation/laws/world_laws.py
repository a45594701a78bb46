"""Invariants of the world: tables after every step, PostgreSQL at times, everything at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from accounts.models import Account, AccountKind, Posting
from accounts.models.ledger import OF_USERS
from config import limits
from tables.dealer import record
from tables.dealer import state as states
from tables.engine.events import HandEnded
from tables.models import Hand, Seat, Table
from tables.records import stored
from tables.ring.models import RingSession
from tables.store import fenced, hidden_states, keys, private_events
from tests.simulation.laws import level_law, told_law
from tests.simulation.laws.balance_law import BalanceLaw, RecordLaw
from tests.simulation.laws.counts_law import CountsLaw
from tests.simulation.laws.log_law import LogLaw
from tests.simulation.laws.ring_laws import RingLaws
from tests.simulation.laws.seal_law import SealLaw
from tests.simulation.laws.table_laws import Look, Moment, TableLaws
from tests.simulation.line import Word
from tournaments.engine.lifecycle import ENDED
from tournaments.events import bells
from tournaments.locks import DIRECTOR
from tournaments.models import (
    Announcement,
    Deal,
    Entry,
    KnockOut,
    Move,
    Offer,
    Ticket,
    Tournament,
)
from tournaments.models.options.formats import Format
from tournaments.models.tournament import State
from tournaments.monitor.audit_memory import AuditMemory

if TYPE_CHECKING:
    import random

    from tests.simulation.world import World

SHARD = 0
_SHARED = {Format.FIFTY_FIFTY, Format.DOUBLE_OR_NOTHING, Format.SATELLITE}
"""Formats that end with several left; equal stacks then share a place, as when time is up."""
_SCHEDULE = bells.member(bells.SCHEDULE)
_WAKES: tuple[Word, ...] = ("ZRANGE", keys.wakes(SHARD), 0, -1, "WITHSCORES")
LOOK_EVERY_SQL = 10
WAKE_LOST_AFTER_S = 15.0
"""The next bell sets a wake again, a second later; here bell after bell may be lost as well."""


class Laws:
    """Section 5 of the design as checks after each step; every finding is one sentence."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.tables: dict[int, TableLaws] = {}
        self.due_ms: int | None = None
        self.lives = False
        self.changed: list[int] = []
        self.doubted: list[states.TableState] = []
        self._course = AuditMemory(wake_lost_after_s=WAKE_LOST_AFTER_S)
        self._balance = BalanceLaw()
        self._ring = RingLaws()
        self._seals = SealLaw(world.cuts)
        self.log = LogLaw(world.seed)
        self._counts = CountsLaw()
        self.record = RecordLaw(world.doors.beside)
        self._sql_steps = 0
        self._decided = told_law.DecidedLaw()

    def doubt(self) -> None:
        """Note that Redis was emptied or set back; timers learn of a missing generation."""
        for one in self.tables.values():
            one.doubt(self.world.awake_ms)
        self.world.viewers.doubt()
        self.world.cuts.forget()
        self.world.database.law.doubt()
        self.log.forget()
        self.lives = True  # tables woken now are checked at the next look

    def set_back(self, hands: dict[int, int] | None) -> None:
        """Forget what a PostgreSQL lost that is adopted; `hands` are those its tables have left.

        They are given when the loss was accepted: every later hand that was told must be void.
        """
        for one in self.tables.values():
            one.set_back(hands)
        self._decided.set_back()
        self._course = AuditMemory(wake_lost_after_s=WAKE_LOST_AFTER_S)
        self._balance = BalanceLaw()
        self._counts = CountsLaw()
        self._ring.set_back()
        self.log.set_back()

    def damage(self, chance: random.Random) -> int | None:
        """Choose a table in play and note that its state is damaged now; None when none plays."""
        sound = [one for one in self.tables.values() if one.is_sound and not _is_over(one)]
        if not sound:
            return None
        one = chance.choice(sound)
        one.damaged = True
        return one.table

    @property
    def in_doubt(self) -> bool:
        """Return whether a table is still in the state of an older Redis, or missing."""
        return any(one.doubted_ms is not None for one in self.tables.values())

    def look(self, touched_sql: bool) -> Iterator[str]:
        """Return the violations after one step; checks PostgreSQL only when due."""
        yield from self._tables()
        if touched_sql:
            yield from self.record.found()
            self._sql_steps += 1
            if self._sql_steps % self.world.look_every == 0 and self.world.database.is_settled:
                yield from self.rows()

    def rows(self) -> Iterator[str]:
        """Return the findings of the live room's auditor, on the world's clock."""
        yield from self._course.violations(self.world.awake_ms / 1_000)
        yield from told_law.in_the_rows(self.world.elapsed_ms)
        yield from self._ring.look()
        yield from self._seals.look()
        yield from self.log.look()
        yield from self._counts.look()
        yield from self.world.database.law.look()

    def _tables(self) -> Iterator[str]:
        self.changed, self.doubted = [], []
        asked = [one for one in self.tables.values() if not _is_over(one)]
        questions: list[tuple[Word, ...]] = [_WAKES]
        for one in asked:
            member = keys.table(one.table)
            questions.append(("HMGET", keys.state(member, 1), "epoch", "version", "state"))
            questions.append(("XRANGE", keys.events(member, 1), f"({one.last_id}", "+"))
        wakes, *found = self.world.line.ask(*questions)
        scores = _scores(wakes)
        self.due_ms = int(min(scores.values())) if scores else None
        self.lives = bool(scores.keys() - {_SCHEDULE})
        self._course.saw_wakes(scores)
        for one, row, lines in zip(asked, found[::2], found[1::2], strict=True):
            yield from self._table(one, row, lines, scores)
        for name in scores:
            if name.startswith("table:"):
                self.tables.setdefault(keys.number(name), TableLaws(keys.number(name)))

    def _table(
        self, one: TableLaws, row: list[Any], lines: list[Any], scores: dict[str, float]
    ) -> Iterator[str]:
        before = one.before
        if row[2] is None:
            if before is not None and one.doubted_ms is None:
                yield f"table {one.table} is gone from Redis"
            return
        if row[0] is None:
            yield f"table {one.table} has a state that no epoch protects"
            return
        epoch, version = int(row[0]), int(row[1])
        # An older Redis may reach the same version by another sequence of steps.
        trusted = before if one.doubted_ms is None and not one.damaged else None
        is_old = trusted is not None and (epoch, version) == (trusted.epoch, trusted.version)
        state = trusted.state if trusted is not None and is_old else _read(row[2])
        if state is None:
            if not one.damaged and one.doubted_ms is None:
                yield f"table {one.table} has a state that nobody can read"
            return
        one.damaged = False
        told = _told(lines)
        private = self._private(one, before, state) if told else {}
        now = Look(epoch, version, state, scores.get(keys.table(one.table)), told, private)
        world = self.world
        at = Moment(world.now_ms, world.awake_ms, world.outages, world.clients.in_time)
        yield from one.see(now, at, world.clients.commands)
        if one.doubted_ms is not None:
            self.doubted.append(state)
        else:
            self._decided.saw(state)
        if not is_old and one.doubted_ms is None:
            self.changed.append(one.table)
            is_next = before is not None and state.hand_number > before.state.hand_number
            if is_next and world.database.is_settled:
                with world.doors.beside():
                    found = list(self._balance.began(one.table))
                yield from found

    def _private(
        self, one: TableLaws, before: Look | None, state: states.TableState
    ) -> dict[int, list[tuple[str, bytes]]]:
        entries = {seat.entry for seat in state.seats}
        entries |= {seat.entry for seat in (() if before is None else before.state.seats)}
        wanted = sorted(entries)
        streams = [keys.cards(keys.table(one.table), entry, 1) for entry in wanted]
        found = self.world.line.ask(
            *(("XRANGE", stream, f"({one.last_id}", "+") for stream in streams)
        )
        return {
            entry: private_events.open_all(stream, _told(lines))
            for entry, stream, lines in zip(wanted, streams, found, strict=True)
        }

    def at_the_end(self) -> Iterator[str]:
        """Return the violations at the end: unfinished tournaments, unpaid pools, leftovers."""
        yield from self.rows()
        for tournament in Tournament.objects.order_by("pk"):
            name = f"tournament {tournament.pk}"
            if tournament.state not in ENDED:
                yield f"{name} is still {tournament.state}"
            yield from (f"{name}: {found}" for found in _ended(tournament))
        rest = Announcement.objects.filter(published=False).count()
        if rest:
            yield f"{rest} announcements were never published"
        yield from self._ring.at_the_end()
        yield from self._closed_tables()
        yield from _refunded()
        yield from _hand_chain()
        yield from level_law.at_the_end()
        yield from self.log.at_the_end()
        yield from self._decided.found()

    def _closed_tables(self) -> Iterator[str]:
        for table in Table.objects.order_by("pk"):
            state = fenced.peek(self.world.aside, table.pk)
            if table.status != Table.Status.CLOSED:
                yield f"table {table.pk} is open after the end"
            if state is not None and state.phase != "closed":
                yield f"table {table.pk} lives on in Redis in phase {state.phase}"
        left = _scores(self.world.line.ask(_WAKES)[0])
        for name in sorted(left.keys() - {_SCHEDULE}):
            yield f"{name} will be woken after the end"


def _read(raw: bytes) -> states.TableState | None:
    """Return a decoded state; None for the bytes of a damaged one."""
    try:
        return hidden_states.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def _scores(wakes: list[bytes]) -> dict[str, float]:
    """Wake of every member, from a list of alternating names and scores."""
    names, scores = wakes[::2], wakes[1::2]
    return {name.decode(): float(score) for name, score in zip(names, scores, strict=True)}


def _told(lines: list[Any]) -> list[tuple[str, bytes]]:
    """Events of a stream, each the only field of its entry."""
    return [(line_id.decode(), event) for line_id, (_, event) in lines]


def _is_over(one: TableLaws) -> bool:
    """Return whether a table is closed for good; PostgreSQL may have lost that it closed."""
    is_closed = one.before is not None and one.before.state.phase == "closed"
    return is_closed and one.doubted_ms is None and one.lost_above is None


def _ended(tournament: Tournament) -> Iterator[str]:
    """Violations of an ended tournament: seats, pool or batches left, places out of order."""
    if tournament.is_paying or tournament.opening:
        yield f"batches are left: paying {tournament.is_paying}, opening {tournament.opening}"
    pool = Account.objects.filter(kind=AccountKind.POOL, ref=tournament.member).first()
    if pool is not None and pool.balance:
        yield f"the pool ends with {pool.balance}"
    at_tables = Seat.objects.filter(table__director=DIRECTOR, table__game=tournament.pk)
    seats = at_tables.count()
    moves = tournament.moves.filter(state__in=Move.PENDING).count()
    if seats or moves:
        yield f"{seats} seats and {moves} moves are left"
    if tournament.state == State.FINISHED:
        yield from _in_order(tournament)


def _refunded() -> Iterator[str]:
    """Violations of a tournament cancelled before play: balances of players and room must be as
    before.

    A ticket counts with its value; an expired ticket belongs to the room.
    """
    if Tournament.objects.exclude(state=State.CANCELLED, started_ms=None).exists():
        return
    if RingSession.objects.exists():
        return
    had: Counter[int] = Counter()
    has: Counter[int] = Counter()
    for account in Account.objects.filter(kind__in=(*OF_USERS, AccountKind.FEE)):
        has[account.user_id or 0] += account.balance
        if account.kind == AccountKind.PLAYER:
            had[account.user_id or 0] += limits.PLAY_MONEY_WELCOME_CENTS
    given = Posting.objects.filter(transfer__kind="ticket", account__kind=AccountKind.TICKET)
    for key, value in given.values_list("transfer__key", "amount"):
        had[Ticket.objects.get(pk=key.rpartition(":")[2]).owner_id] += value
    for ticket in Ticket.objects.filter(state__in=(Ticket.State.VALID, Ticket.State.EXPIRED)):
        has[ticket.owner_id] += ticket.value
    for user in sorted(had.keys() | has.keys()):
        if had[user] != has[user]:
            yield f"user {user} had {had[user]} before and has {has[user]}"


def _in_order(tournament: Tournament) -> Iterator[str]:
    """Violations of the order of places: later busts place higher, in one hand or round larger
    stacks (T-07).
    """
    rows = list(KnockOut.objects.filter(tournament=tournament).select_related("entry"))
    rounds: dict[int, list[int]] = {}
    for row in rows:
        rounds.setdefault(row.round, []).append(row.order)
    for one in rows:
        for other in rows:
            better = _place(one) < _place(other)
            if _outlasted(tournament, one, other, rounds) and not better:
                yield (
                    f"entry {one.entry_id} outlasted {other.entry_id} and has place"
                    f" {one.entry.place}, not better than {other.entry.place}"
                )
    winners = Entry.objects.filter(tournament=tournament, place=1).count()
    dealt = tournament.deals.filter(state=Deal.State.AGREED).exists()
    if winners != 1 and not (tournament.time_over or dealt or tournament.format in _SHARED):
        yield "there is not one winner"


def _place(row: KnockOut) -> int:
    place = row.entry.place
    assert place is not None, "an entry that is out has a place"
    return place


def _outlasted(
    tournament: Tournament, one: KnockOut, other: KnockOut, rounds: dict[int, list[int]]
) -> bool:
    """Return whether the rules place one entry strictly above another.

    `rounds` are the orders of each round: its hands count as one moment, and an entry that merges
    at a boundary between two of them (E-08) is above or below all of them.
    """
    for merged, out in ((one, other), (other, one)):
        orders = rounds[out.round]
        if out.round and not merged.round and min(orders) < merged.order < max(orders):
            return False
    if one.round and one.round == other.round:
        return tournament.tie_rule == "by_stack" and one.stack > other.stack
    if one.order == other.order:
        return one.stack > other.stack
    return one.order > other.order


def _hand_chain() -> Iterator[str]:
    """Violations of the chain of hands: each replays to its result and begins with the stacks of
    the one before plus re-buys.
    """
    held: dict[int, int] = {}
    bought: Counter[int] = Counter()
    done = Offer.objects.filter(state=Offer.State.DONE)
    for entry, chips in done.values_list("entry", "chips"):
        bought[entry] += chips
    sessions = RingSession.objects.values_list("pk", "bought")
    bought.update(dict(sessions))
    fresh = set(
        Tournament.objects.filter(format=Format.SHOOTOUT).values_list("pk", flat=True)
    )  # every shootout round begins with new stacks (F-04)
    for hand in Hand.objects.select_related("table").order_by("pk"):
        kept = stored.decode(bytes(hand.record))
        if kept.digest() != hand.digest:
            yield f"hand {hand.table_id}/{hand.number} is not what was settled"
        ended = record.replay(kept.setup, kept.actions)[-1]
        assert isinstance(ended, HandEnded)
        if {s.seat: s.chips for s in ended.stacks} != {
            s.seat: s.chips for s in kept.seats if s.dealt
        }:
            yield f"hand {hand.table_id}/{hand.number} replays to other stacks"
        for seat in kept.seats:
            if hand.number == 1 and hand.table.director == DIRECTOR and hand.table.game in fresh:
                held.pop(seat.entry, None)
            more = seat.chips_before - held.get(seat.entry, seat.chips_before)
            bought[seat.entry] -= more
            if more < 0 or bought[seat.entry] < 0:
                yield (
                    f"entry {seat.entry} ended a hand with {held[seat.entry]} chips and began"
                    f" hand {hand.table_id}/{hand.number} with {seat.chips_before}"
                )
            held[seat.entry] = seat.chips
