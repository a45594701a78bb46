"""Limited play time: at its end all hands in play finish, and chips decide the places (T-11)."""

from __future__ import annotations

from django.db import connection

from tournaments import progress
from tournaments.buying import closing
from tournaments.events.formats import PlayTimeUp
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.running import finishing, sales, settlement
from tournaments.seating import planning


def review_play_time(tx: TournamentTransaction, now_ms: int) -> None:
    """Stop play when the time is up, and end the tournament as soon as every table stands."""
    tournament = tx.tournament
    assert connection.in_atomic_block
    left_ms = progress.play_ends_in_ms(tournament, now_ms)
    if left_ms is None or (left_ms and not tournament.time_over):
        return
    is_new = not tournament.time_over
    if is_new:
        tournament.time_over = True
        tx.announce(PlayTimeUp(tournament.left, tournament.time_up))
        closing.stop(tx)
    if not end(tx) and is_new:  # tables of a tournament that ended are closed without their asking
        tx.wake_all_tables()


def end(tx: TournamentTransaction) -> bool:
    """Place everyone left by chips, pay and finish; False while a hand or an offer is open."""
    tournament = tx.tournament
    assert tournament.time_over, "a tournament ends by time only after its play time"
    if not planning.in_hand(tournament):
        sales.carry_out_under_way(tx)
    if not finishing.is_over(tournament):
        return False
    settlement.review_prizes(tx)
    return True
