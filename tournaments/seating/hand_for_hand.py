"""Hand-for-hand: all tables start each hand together, and a round is placed as a whole (T-09).

1. A knock-out or merge near the money or the final table switches the mode on, as does the start
   of a field that is as close already, or the end of sales (`review_hand_for_hand`).
2. Every table finishes its hand and waits.
3. The first table that finds all others standing completes the round under the tournament's lock
   (`advance`): places, clock charge, balancing, next round.
4. Each table deals one hand of the round and waits again (`may_deal`); back to 3.
"""

from __future__ import annotations

from collections.abc import Sequence

from config import clock
from tables.models import Seat, Table
from tournaments import locks, progress
from tournaments.engine import bubble
from tournaments.engine.bubble import Bubble, RoundTable
from tournaments.events.client_events import HandForHandBegan, HandForHandEnded
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.models import Move, Tournament
from tournaments.prizes import placing
from tournaments.prizes.pool import bubble_at, places_paid
from tournaments.seating import balancer, grants, moves, planning


def review_hand_for_hand(tx: TournamentTransaction) -> None:
    """Begin hand-for-hand where the field is close enough to the money or the final table (T-09).

    Called at the start, after each knock-out and merge, and when the pool is fixed. The first round
    opens when every table stands and nothing is sold any more (E-07). The mode ends only between
    two rounds.
    """
    tournament = tx.tournament
    if tournament.hand_for_hand or not _is_wanted(tournament):
        return
    tournament.hand_for_hand = True
    tournament.round_open = False
    now_ms = progress.time_ms(tournament)
    on_break = progress.position(tournament, now_ms).is_break
    paced = bubble.paced(tournament.clock(), now_ms, holding=True, on_break=on_break)
    tournament.set_clock(paced)
    began = HandForHandBegan(tournament.left, places_paid(tournament))
    tx.announce(began)


def may_deal(tournament: Tournament, table: Table) -> bool:
    """Return whether this table still has to play its hand of the open round."""
    seen = RoundTable(table.round, table.granted_hand > table.hand, tournament.table_size)
    return bubble.may_deal(seen, tournament.round, is_open=tournament.round_open)


def is_complete(tournament: Tournament) -> bool:
    """Return whether every table stands and has played its hand of the open round.

    Reads the tables without locks: a complete round stays so until `advance` opens the next one,
    and a table that asks with its own lock alone must not wait for another.
    """
    rows = Table.objects.filter(
        director=locks.DIRECTOR, game=tournament.pk, status=Table.Status.OPEN
    )
    return _all_stand(tournament, list(rows))


def advance(tx: TournamentTransaction) -> bool:
    """Complete the round once every table has played it, and open the next; False before that.

    All tables stand between two rounds, so places are given and tables balanced at once.
    """
    tournament = tx.tournament
    # 1. All tables are locked, so none can be granted a hand while the round is completed.
    tables = locks.open_tables(tournament.pk)
    if tournament.pool is None or not _all_stand(tournament, tables):
        return False
    # The first round begins when places that waited for the pool are given, else it holds them up.
    if not tournament.round_open and placing.are_waiting(tournament):
        return False
    # 2. Place and pay the knock-outs of the whole round; charge the clock if it was played.
    if tournament.round_open:
        placing.pay(tx, placing.place(tx))
        if any(table.round == tournament.round for table in tables):
            position = progress.position(tournament, progress.time_ms(tournament))
            tournament.set_clock(
                bubble.charged(tournament.clock(), _settings(tournament), position)
            )
    # 3. Balance while all stand, then open the next round or end the mode.
    if changed := _level(tx):
        balancer.changed(tx, changed)
    if _is_wanted(tournament):
        tournament.round += 1
        tournament.round_open = True
    else:
        _end(tx)
    tx.wake_all_tables()
    return True


def _is_wanted(tournament: Tournament) -> bool:
    """Return whether several tables are left, close to the money or the final table (T-09)."""
    if tournament.format_rules.has_rounds:  # tables of a shootout play independently (F-04)
        return False
    if tournament.cash_value:  # chips are paid, places are not: no bubble
        return False
    return bubble.holds(
        _settings(tournament),
        left=tournament.left,
        paid=bubble_at(tournament),
        seats=tournament.table_size,
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
    """Players that the next hand can deal in, by table: seated entries and pending arrivals."""
    players = dict.fromkeys(tables, 0)
    for table in Seat.objects.filter(table__in=tables).values_list("table", flat=True):
        players[table] += 1
    arriving = Move.objects.filter(to_table__in=tables, state=Move.State.LEFT)
    for table in arriving.values_list("to_table", flat=True):
        players[table] += 1
    return players


def _level(tx: TournamentTransaction) -> set[int]:
    """Close, balance and gather tables while all stand, until no plan changes anything."""
    changed: set[int] = set()
    while True:
        sizes = balancer.sizes_of(tx.tournament.pk)[1]
        if _is_level(tx.tournament, sizes):
            return changed
        moved: set[int] = set()
        for size in sorted(sizes, key=lambda size: (-size.size, -size.number)):
            moved = _carry_out(tx, size.table, sizes)
            if moved:
                break
        if not moved:
            return changed
        changed |= moved


def _is_level(tournament: Tournament, sizes: Sequence[balancer.Size]) -> bool:
    players = [size.size for size in sizes]
    return len(sizes) <= balancer.needed(tournament) and max(players) - min(players) < 2


def _carry_out(tx: TournamentTransaction, table: int, sizes: list[balancer.Size]) -> set[int]:
    tournament = tx.tournament
    boundary = grants.boundary(Table.objects.get(pk=table))
    if tournament.several_at_once:
        grants.seat_arrivals(boundary)
    bounds = balancer.bounds_of(sizes, tournament, table)
    plan = planning.plan(tournament, boundary, bounds)
    return moves.carry_out(tx, boundary, plan)


def _end(tx: TournamentTransaction) -> None:
    tournament = tx.tournament
    tournament.hand_for_hand = False
    tournament.round_open = False
    now_ms = clock.database_now_ms()
    tournament.set_clock(bubble.paced(tournament.clock(), now_ms, holding=False, on_break=False))
    tournament.go_on_at(now_ms)
    tx.announce(HandForHandEnded())
