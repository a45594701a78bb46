"""Named prizes reach their places; chips have no other value than a place."""

from __future__ import annotations

import pytest
from redis import Redis

from accounts.ledger import transfers
from accounts.models import Transfer
from tests.tournaments.cast import BUY_IN, FEE, Arena, started
from tournaments.entries import registration
from tournaments.models import Announcement, Entry, KnockOut
from tournaments.prizes import money, named
from tournaments.refusals import AlreadyStarted


@pytest.mark.rule("Z-03")
def test_winner_and_places_are_notified_of_their_named_prizes_once(house: Redis) -> None:
    tournament = started(5, special_prize="A watch", second_prize="A cap", second_prize_places=3)
    Arena(tournament.pk).run()
    for entry in tournament.entries.all():
        rows = Announcement.objects.filter(stream=f"user:{entry.user_id}").order_by("seq")
        payloads = [bytes(row) for row in rows.values_list("payload", flat=True)]
        told = [row for row in payloads if b'"type":"named_prize"' in row]
        assert entry.place is not None
        wanted = [b"A watch"] * (entry.place == 1) + [b"A cap"] * (entry.place <= 3)
        assert len(told) == len(wanted)
        assert all(prize in row for prize, row in zip(wanted, told, strict=True))


@pytest.mark.rule("Z-03", "T-07")
def test_a_named_prize_of_a_shared_place_goes_to_the_better_seat_alone(house: Redis) -> None:
    tournament = started(5, special_prize="A watch", second_prize="A cap", second_prize_places=2)
    Arena(tournament.pk).run()
    tournament.refresh_from_db()
    first, second, third = tournament.entries.filter(place__lte=3).order_by("place")
    KnockOut.objects.filter(entry=second).update(button_distance=4)
    KnockOut.objects.filter(entry=third).update(button_distance=3)
    Entry.objects.filter(pk__in=(second.pk, third.pk)).update(place=2, prize=100)
    own = [
        [row.prize for row in named.won(tournament, entry.user)] for entry in (first, second, third)
    ]
    assert own == [["A watch", "A cap"], [], ["A cap"]], "two caps were promised"


@pytest.mark.rule("A-04")
def test_chips_of_a_tournament_are_worth_no_money(house: Redis) -> None:
    tournament = started(3)
    entry = Entry.objects.filter(tournament=tournament).select_related("user").first()
    assert entry is not None
    account = money.player(entry.user)
    had, booked = transfers.balance(account), Transfer.objects.count()
    with pytest.raises(AlreadyStarted):
        registration.unregister(entry.user, tournament)
    assert (transfers.balance(account), Transfer.objects.count()) == (had, booked)
    Arena(tournament.pk).run()
    tournament.refresh_from_db()
    assert tournament.pool == sum(tournament.prizes) == 3 * BUY_IN, "whatever the stacks were"
    assert transfers.balance(money.fees()) == 3 * FEE
