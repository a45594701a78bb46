"""Hand-for-hand: all tables start each hand together, rounds are placed whole (T-09)."""

from __future__ import annotations

from collections.abc import Sequence

from config import clock
from tables.models import Seat, Table
from tournaments import locks, progress
from tournaments.engine import bubble
from tournaments.engine.bubble import Bubble, RoundTable
from tournaments.events import bells
from tournaments.events.client_events import HandForHandBegan, HandForHandEnded
from tournaments.events.outbox import Outbox
from tournaments.events.outbox import tournament as stream_of
from tournaments.models import Move, Tournament
from tournaments.models.formats import Format
from tournaments.prizes import placing
from tournaments.prizes.money import Payments
from tournaments.prizes.pool import bubble_at, places_paid
from tournaments.seating import balancer, grants, moves, standing


def review(tournament: Tournament, outbox: Outbox) -> None:
    """After a knock-out: begin hand-for-hand when the field has come that close (T-09).

    The first round opens when every table stands and nothing is sold any more (E-07). It ends only
    between two rounds.
    """
    if tournament.hand_for_hand or not _is_wanted(tournament):
        return
    tournament.hand_for_hand = True
    tournament.round_open = False
    now_ms = clock.database_now_ms()
    on_break = progress.position(tournament, now_ms).is_break
    paced = bubble.paced(tournament.clock(), now_ms, holding=True, on_break=on_break)
    tournament.set_clock(paced)
    told = HandForHandBegan(tournament.left, places_paid(tournament))
    outbox.tell(stream_of(tournament.pk), told)


def may_deal(tournament: Tournament, table: Table) -> bool:
    """Whether this table still owes the round that is open its hand."""
    seen = RoundTable(table.round, table.granted_hand > table.hand, tournament.seats_per_table)
    return bubble.may_deal(seen, tournament.round, is_open=tournament.round_open)


def is_complete(tournament: Tournament) -> bool:
    """Whether no table plays, nor owes the round that is open its hand."""
    return _all_stand(tournament, locks.open_tables(tournament.pk))


def advance(tournament: Tournament, outbox: Outbox) -> bool:
    """Complete the round when every table has played it, and open the next; False: not yet.

    The tournament is locked; the caller saves it. Between rounds all tables stand, so places are
    given, and the field is levelled at once.
    """
    tables = locks.open_tables(tournament.pk)
    if tournament.pool is None or not _all_stand(tournament, tables):
        return False
    if tournament.round_open:
        payments = Payments()
        placing.pay(tournament, placing.place(tournament, outbox), payments, outbox)
        payments.book()
        if any(table.round == tournament.round for table in tables):
            now = progress.position(tournament, clock.database_now_ms())
            tournament.set_clock(bubble.charged(tournament.clock(), _settings(tournament), now))
    if changed := _level(tournament, outbox):
        balancer.changed(tournament, changed)
    if _is_wanted(tournament):
        tournament.round += 1
        tournament.round_open = True
    else:
        _end(tournament, outbox)
    bells.wake_tables_after_commit(tournament.pk)
    return True


def _is_wanted(tournament: Tournament) -> bool:
    """Few enough before the money or the final table, and still at several tables (T-09)."""
    if tournament.format == Format.SHOOTOUT:  # its tables play on their own (F-04)
        return False
    if tournament.cash_value:  # no place is worth waiting for
        return False
    return bubble.holds(
        _settings(tournament),
        left=tournament.left,
        paid=bubble_at(tournament),
        seats=tournament.seats_per_table,
    )


def _settings(tournament: Tournament) -> Bubble:
    return Bubble(
        before_money=tournament.bubble_places,
        before_final=tournament.bubble_final,
        charge_ms=tournament.bubble_charge_ms,
    )


def _all_stand(tournament: Tournament, tables: Sequence[Table]) -> bool:
    players = _players([table.pk for table in tables])
    seen = (
        RoundTable(table.round, table.granted_hand > table.hand, players[table.pk])
        for table in tables
    )
    return bubble.is_complete(seen, tournament.round, is_open=tournament.round_open)


def _players(tables: Sequence[int]) -> dict[int, int]:
    """Who can be dealt in next: seated, or arrived and not seated yet."""
    players = dict.fromkeys(tables, 0)
    for table in Seat.objects.filter(table__in=tables).values_list("table", flat=True):
        players[table] += 1
    arriving = Move.objects.filter(to_table__in=tables, state=Move.State.LEFT)
    for table in arriving.values_list("to_table", flat=True):
        players[table] += 1
    return players


def _level(tournament: Tournament, outbox: Outbox) -> set[int]:
    """Close, balance and gather while all tables stand, until there is nothing left to do."""
    changed: set[int] = set()
    while True:
        sizes = balancer.sizes_of(tournament.pk)[1]
        if _is_level(tournament, sizes):
            return changed
        made: set[int] = set()
        for size in sorted(sizes, key=lambda size: (-size.size, -size.number)):
            made = _carry_out(tournament, size.table, sizes, outbox)
            if made:
                break
        if not made:
            return changed
        changed |= made


def _is_level(tournament: Tournament, sizes: Sequence[balancer.Size]) -> bool:
    players = [size.size for size in sizes]
    return len(sizes) <= balancer.needed(tournament) and max(players) - min(players) < 2


def _carry_out(
    tournament: Tournament, table: int, sizes: list[balancer.Size], outbox: Outbox
) -> set[int]:
    now = grants.boundary(Table.objects.get(pk=table))
    if tournament.several_at_once:
        grants.seat_arrivals(now)
    bounds = balancer.bounds_of(sizes, tournament, table)
    plan = standing.plan(tournament, now, bounds)
    return moves.carry_out(tournament, now, plan, outbox)


def _end(tournament: Tournament, outbox: Outbox) -> None:
    tournament.hand_for_hand = False
    tournament.round_open = False
    now_ms = clock.database_now_ms()
    tournament.set_clock(bubble.paced(tournament.clock(), now_ms, holding=False, on_break=False))
    tournament.go_on_at(now_ms)
    outbox.tell(stream_of(tournament.pk), HandForHandEnded())
