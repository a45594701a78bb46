"""When a tournament is over, and what closes with it (T-07)."""

from __future__ import annotations

from django.db.models import Sum
from django.utils import timezone

from accounts import ledger
from tables.models import Seat
from tournaments import audit, field, locks, money
from tournaments.announcements import Outbox
from tournaments.announcements import tournament as stream_of
from tournaments.client_events import Finished
from tournaments.engine import lifecycle
from tournaments.models import Entry, Move, Tournament


def is_over(tournament: Tournament) -> bool:
    """Whether the field is down to its winner."""
    return tournament.left == 1


def finish(tournament: Tournament, winner: Entry, outbox: Outbox) -> None:
    """Every prize is paid, all tables close; the tournament is locked and the caller saves it."""
    tables = locks.open_tables(tournament.pk)
    pending = tournament.moves.filter(state__in=Move.PENDING)
    chips = Seat.objects.filter(table__in=tables).aggregate(n=Sum("chips", default=0))["n"]
    chips += pending.aggregate(n=Sum("chips", default=0))["n"]
    assert chips == audit.sold_chips(tournament), "every chip is accounted for"
    assert ledger.balance(money.pool(tournament)) == 0, "the pool is paid to the cent"
    Seat.objects.filter(table__in=tables).delete()
    pending.update(state=Move.State.VOID)
    field.close(tables)
    tournament.state = lifecycle.after(tournament.state, "finish")  # type: ignore[arg-type]
    tournament.finished_at = timezone.now()
    tournament.hand_for_hand = False
    outbox.tell(
        stream_of(tournament.pk),
        Finished(winner.pk, winner.user_id, winner.name, winner.prize),
    )
