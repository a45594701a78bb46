"""Targets of a series of satellites, and targets cancelled while their tickets are won."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import OperationalError, transaction
from django.utils import timezone
from redis import Redis

from accounts.ledger import transfers
from tests.tournaments.cast import at_once, open_offer
from tests.tournaments.prizes.satellite_events import BOTH, play_to_end, satellite, target
from tests.tournaments.prizes.ticket_scene import assert_ledger_right, ticket_debt
from tournaments import locks
from tournaments.events.unit_of_work import TournamentTransaction, tournament_transaction
from tournaments.models import Entry, Ticket, Tournament
from tournaments.prizes import money, placing
from tournaments.running import operations, tick
from tournaments.schedule import making

HOUR_S = 3_600
HOUR = timedelta(seconds=HOUR_S)


def _main(in_hours: float, **fields: object) -> Tournament:
    """A scheduled target with open registration."""
    starts_at = timezone.now() + in_hours * HOUR
    wanted = {"start": "scheduled", "starts_at": starts_at, "players_max": 50} | BOTH | fields
    return open_offer(**wanted)


def _satellite(to: Tournament, in_hours: float) -> Tournament:
    """A scheduled satellite that repeats every hour."""
    starts_at = timezone.now() + in_hours * HOUR
    series = {"repeats": True, "repeat_every_s": HOUR_S}
    fields = {"start": "scheduled", "starts_at": starts_at, "players_max": 50, "buy_in": 300}
    return open_offer(format="satellite", target=to, **fields, **series)


@pytest.mark.rule("K-08")
def test_the_next_satellite_leads_to_the_first_target_that_starts_after_it(house: Redis) -> None:
    main = _main(1, repeats=True, repeat_every_s=HOUR_S)
    first = _satellite(main, 0.5)
    later = making.follow(main)
    made = making.follow(first)
    assert made is not None and made.target == later
    assert later is not None and later.starts_at is not None and made.starts_at is not None
    assert made.starts_at < later.starts_at
    assert made.state == "registering"


@pytest.mark.rule("K-08")
def test_a_satellite_stays_announced_until_its_target_is_created(house: Redis) -> None:
    main = _main(1, repeats=True, repeat_every_s=HOUR_S)
    made = making.follow(_satellite(main, 0.5))
    assert made is not None and made.state == "announced"
    tick.tick(made.pk)
    made.refresh_from_db()
    assert (made.state, made.target) == ("announced", main)
    later = making.follow(main)
    tick.tick(made.pk)
    made.refresh_from_db()
    assert (made.state, made.target) == ("registering", later)


@pytest.mark.rule("K-08")
def test_a_series_of_satellites_ends_with_its_last_possible_target(house: Redis) -> None:
    first = _satellite(_main(1), 0.5)
    assert making.follow(first) is None
    assert Tournament.objects.filter(format="satellite").count() == 1


def _take_nowait(pk: int) -> str:
    """Return whether another connection could lock that tournament now."""
    with transaction.atomic():
        rows = Tournament.objects.select_for_update(no_key=True, nowait=True).filter(pk=pk)
        try:
            return f"free {rows.count() and len(rows)}"
        except OperationalError:
            return "locked"


@pytest.mark.rule("K-08")
@pytest.mark.rule("Z-04")
def test_a_target_is_locked_while_its_tickets_are_issued(house: Redis) -> None:
    main = target(300)
    played = satellite(main, 6)
    assert at_once(lambda: _take_nowait(main.pk)) == ["free 1"]
    with transaction.atomic():
        tx = TournamentTransaction(locks.tournament(played.pk))
        winner = Entry.objects.filter(tournament=played).select_related("user")[0]
        winner.place, winner.prize, tx.tournament.prizes = 1, 300, [300]
        placing.pay(tx, [winner])
        assert at_once(lambda: _take_nowait(main.pk)) == ["locked"]
        transaction.set_rollback(True)


@pytest.mark.rule("K-08")
def test_the_better_place_gets_the_ticket_though_a_later_batch_pays_it(house: Redis) -> None:
    played = satellite(target(300), 6)
    worse, better = Entry.objects.filter(tournament=played).order_by("pk")[:2]
    better.user = worse.user
    for place, entry in enumerate((better, worse), start=1):
        entry.state, entry.place, entry.prize = Entry.State.WON, place, 300
        entry.save()
    Tournament.objects.filter(pk=played.pk).update(prizes=[300, 300])
    for entry in (worse, better):
        with tournament_transaction(played.pk) as tx:
            placing.pay(tx, [entry])
    assert [ticket.key for ticket in Ticket.objects.all()] == [f"prize:{played.pk}:{better.pk}"]
    assert transfers.balance(money.pool(played)) == 0


@pytest.mark.rule("K-08")
def test_a_target_is_cancelled_without_waiting_for_its_satellites(house: Redis) -> None:
    main = target(300)
    played = play_to_end(satellite(main, 6))
    assert Ticket.objects.filter(won_in=played, state="valid").exists()
    with transaction.atomic():
        locks.tournament(played.pk)
        (done,) = at_once(lambda: operations.cancel(main.pk, reason="no"))
    assert isinstance(done, Tournament) and done.state == "cancelled", done
    assert ticket_debt() == 0
    assert_ledger_right()
