"""A member is removed while a seat is taken: one transaction waits for the other."""

from __future__ import annotations

import pytest
from redis import Redis

from accounts.clubs import members
from accounts.models import Membership
from tables.ring.models import RingSession, WaitingPlayer
from tables.ring.refusals import NoSuchRingGame, RingMembersOnly
from tables.ring.sessions import sit_down, waiting_list
from tests.tables.ring.room import cast
from tests.tables.ring.room.two_transactions import meanwhile
from tests.tournaments.club_ring_scene import club_ring, member_with_money, seated
from tests.tournaments.club_scene import make_club, person


@pytest.mark.parametrize(
    ("watched_by", "refusal"), [("members", NoSuchRingGame), ("everybody", RingMembersOnly)]
)
def test_a_seat_asked_for_during_a_removal_is_refused(
    house: Redis, watched_by: str, refusal: type[Exception]
) -> None:
    club = make_club()
    ring, mia, olga = club_ring(club, watched_by), member_with_money(club, "Mia"), person("Olga")
    removed, answer = meanwhile(
        lambda: members.remove(club, olga, mia),
        lambda: sit_down.sit(mia, ring.pk, amount=cast.BUY_IN),
    )
    assert isinstance(removed, Membership) and isinstance(answer, refusal)
    assert not RingSession.objects.exists() and cast.balance(mia) == cast.BALANCE


def test_a_seat_taken_before_a_removal_ends_with_it(house: Redis) -> None:
    club = make_club()
    ring, mia, olga = club_ring(club), member_with_money(club, "Mia"), person("Olga")
    session, removed = meanwhile(
        lambda: sit_down.sit(mia, ring.pk, amount=cast.BUY_IN),
        lambda: members.remove(club, olga, mia),
    )
    assert isinstance(session, RingSession) and isinstance(removed, Membership)
    cast.boundary(house, cast.table_of(ring))
    session.refresh_from_db()
    assert (session.state, session.left_with) == (RingSession.State.LEFT, cast.BUY_IN)
    assert cast.balance(mia) == cast.BALANCE
    cast.law()


def test_a_place_on_the_list_taken_before_a_removal_ends_with_it(house: Redis) -> None:
    club = make_club()
    ring, mia, olga = club_ring(club, seats_max=2), member_with_money(club, "Mia"), person("Olga")
    seated(club, ring, "Ann", "Ben")
    place, removed = meanwhile(
        lambda: waiting_list.join(mia, ring.pk), lambda: members.remove(club, olga, mia)
    )
    assert isinstance(place, WaitingPlayer) and isinstance(removed, Membership)
    assert not WaitingPlayer.objects.exists()


def test_an_offer_is_not_taken_by_a_former_member(house: Redis) -> None:
    club = make_club()
    ring, mia = club_ring(club, seats_max=2), member_with_money(club, "Mia")
    stays = seated(club, ring, "Ann", "Ben")
    place = waiting_list.join(mia, ring.pk)
    members.leave(club, stays[0].user)
    table = cast.table_of(ring)
    cast.boundary(house, table)
    place.refresh_from_db()
    assert place.offered_table_id == table.pk
    # The membership alone ends, as by a hand in the database: the request asks again.
    Membership.objects.filter(user=mia).delete()
    with pytest.raises(NoSuchRingGame):
        waiting_list.take(mia, place.pk, cast.BUY_IN)
    assert not RingSession.objects.filter(user=mia).exists() and cast.balance(mia) == cast.BALANCE
