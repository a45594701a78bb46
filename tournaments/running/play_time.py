"""Limited play time: at its end all hands in play finish, and chips decide the places (T-11)."""

from __future__ import annotations

from django.db import connection

from tournaments import progress
from tournaments.buying import closing
from tournaments.events import bells
from tournaments.events.formats import PlayTimeUp
from tournaments.events.outbox import Outbox
from tournaments.events.outbox import tournament as stream_of
from tournaments.models import Tournament
from tournaments.running import finishing, sales, settlement
from tournaments.seating import standing


def review(tournament: Tournament, now_ms: int, outbox: Outbox) -> None:
    """Stop play when the time is up, and end the tournament as soon as every table stands.

    The caller holds the tournament's lock, saves the tournament and writes the outbox.
    """
    assert connection.in_atomic_block
    left_ms = progress.play_ends_in_ms(tournament, now_ms)
    if left_ms is None or (left_ms and not tournament.time_over):
        return
    if not tournament.time_over:
        tournament.time_over = True
        outbox.tell(stream_of(tournament.pk), PlayTimeUp(tournament.left, tournament.time_up))
        closing.stop(tournament, outbox)
        bells.wake_tables_after_commit(tournament.pk)
    end(tournament, outbox)


def end(tournament: Tournament, outbox: Outbox) -> bool:
    """Place everyone left by chips, pay and finish; False while a hand or an offer is open.

    The caller holds the tournament's lock, saves the tournament and writes the outbox.
    """
    assert tournament.time_over, "a tournament ends by time only after its play time"
    if not standing.in_hand(tournament):
        sales.carry_out_under_way(tournament, outbox)
    if not finishing.is_over(tournament):
        return False
    settlement.review(tournament, outbox)
    return True
