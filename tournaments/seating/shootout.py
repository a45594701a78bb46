"""Shootouts: each table plays down to one winner, and the winners start the next round (F-04)."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Count, F
from msgspec.structs import replace

from config import clock
from tables.dealer import carried
from tables.models import Seat, Table
from tournaments import locks
from tournaments.engine import formats, levels
from tournaments.events.client_events import FinalTable, TournamentTableClosed
from tournaments.events.formats import RoundBegan
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.models import Entry, Move, Tournament
from tournaments.prizes import deal_field
from tournaments.seating import balancer, draws, moves
from tournaments.seating.draws import CarriedStack


def begin(tx: TournamentTransaction) -> None:
    """Announce the first round of a shootout; other formats have no rounds."""
    if tx.tournament.format_rules.has_rounds:
        tx.tournament.stage = 1
        _tell_round(tx)


def rounds(tournament: Tournament) -> int:
    """Return the number of rounds, before the start for a full field; 0 for other formats."""
    if not tournament.format_rules.has_rounds:
        return 0
    players = tournament.entrants if tournament.stage else tournament.players_max
    return formats.shootout_rounds(players, tournament.table_size)


def is_round_over(tournament: Tournament) -> bool:
    """Return whether every table stands with at most one player left (T-15)."""
    tables = Table.objects.filter(director=locks.DIRECTOR, game=tournament.pk, status="open")
    if tables.filter(granted_hand__gt=F("hand")).exists():
        return False
    return not tables.annotate(players=Count("seats")).filter(players__gt=1).exists()


def draw_round(tx: TournamentTransaction) -> list[Seat]:
    """Seat the winners by lot with new stacks at the first level; none before all tables are done.

    Chips of knocked-out entries leave play with the round, and the clock starts again. The caller
    opens the new tables (`moves.tell_recorded` tells the winners of a table) and then calls
    `tell_round`.
    """
    tournament = tx.tournament
    tables = locks.open_tables(tournament.pk)
    if not is_round_over(tournament):
        return []
    won = {seat.entry: seat for seat in Seat.objects.filter(table__in=tables)}
    entries = Entry.objects.in_bulk(list(won))
    Seat.objects.filter(table__in=tables).delete()
    out = tournament.entries.filter(state__in=Entry.PLAYED).exclude(pk__in=entries)
    out.exclude(dead_chips=F("chips_bought")).update(dead_chips=F("chips_bought"))
    # Those of winners are woken as their new tables open: thousands would crowd the settle queue.
    draws.close_tables(tx, tables, wake=False)
    for table in tables:
        tx.announce(TournamentTableClosed(table.pk, table.number))
    new = {"chips": tournament.starting_stack, "bank_ms": tournament.bank_ms}
    stacks = [
        CarriedStack(entries[entry], replace(carried.of(seat), **new))
        for entry, seat in won.items()
    ]
    drawn = draws.draw_stacks(tx, stacks)
    by_id = {table.pk: table for table in tables}
    moves.record(tx, won, [], drawn, by_id, Move.Reason.ROUND)
    _restart_clock(tournament)
    tournament.stage += 1
    balancer.changed(tx, {*by_id, *(seat.table_id for seat in drawn)})
    return drawn


def tell_round(tx: TournamentTransaction, drawn: Sequence[Seat]) -> None:
    """Announce a new round, and the final table."""
    tournament = tx.tournament
    _tell_round(tx)
    if len({seat.table_id for seat in drawn}) == 1:
        tournament.final_table = True
        tx.announce(FinalTable(drawn[0].table_id, tournament.left))
        deal_field.tell_possible(tx, [seat.user_id for seat in drawn])


def _restart_clock(tournament: Tournament) -> None:
    now_ms = clock.database_now_ms()
    tournament.set_clock(levels.restart(tournament.clock(), now_ms))
    tournament.go_on_at(now_ms)
    tournament.set_mark(levels.START)
    tournament.told_index = -1


def _tell_round(tx: TournamentTransaction) -> None:
    tournament = tx.tournament
    began = RoundBegan(tournament.stage, rounds(tournament), tournament.left)
    assert tournament.stage <= began.rounds, "no round follows the one with a single winner"
    tx.announce(began)
