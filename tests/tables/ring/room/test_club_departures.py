"""Club members who lose their seats with the membership."""

from __future__ import annotations

import pytest
from redis import Redis

from accounts.clubs import members
from tables.models import Table
from tables.ring.models import RingAuditRow
from tables.ring.sessions import sit_down
from tests.accounts.clubs.cast import club_of, join, person
from tests.tables.ring.room import cast
from tests.tables.ring.room.hearing import heard

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_removed_member_is_told_that_the_seat_is_gone(room: Redis) -> None:
    owner = person("Olga")
    club = club_of(owner)
    ring = cast.game(club=club, watched_by="members")
    removed, left = cast.player("Ada"), cast.player("Ben")
    for user in (removed, left):
        join(club, owner, user.name)
        sit_down.sit(user, ring.pk, amount=cast.BUY_IN)
    members.remove(club, owner, removed)
    members.leave(club, left)
    cast.boundary(room, Table.objects.get(game=ring.pk))
    [notice] = heard(removed)
    assert (notice["type"], notice["reason"]) == ("ring_seat_freed", "taken_off")
    assert notice["amount"] == cast.BUY_IN and heard(left) == []
    row = RingAuditRow.objects.get(action="kick")
    assert (row.actor, row.reason) == (owner, "removed from the club")
