"""Club members who lose their seats with the membership, and pauses that staff made."""

from __future__ import annotations

from functools import partial

import pytest
from django.contrib.auth.models import Permission
from redis import Redis

from accounts.clubs import members
from accounts.models import ClubRole, User
from tables.models import Table
from tables.ring.models import RingAuditRow, RingGame
from tables.ring.refusals import HeldByRoom
from tables.ring.sessions import club_games, operating, sit_down
from tests.accounts.clubs.cast import club_of, join, person
from tests.tables.ring.room import cast
from tests.tables.ring.room.hearing import heard
from tests.tables.ring.room.refusals.unchanged import refused

pytestmark = pytest.mark.django_db(transaction=True)


def staff_of_clubs(name: str) -> User:
    """Return a member of staff who acts as an owner of every club."""
    user = User.objects.create_user(name, is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="change_club"))
    return user


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


def test_a_manager_does_not_end_a_pause_of_staff(room: Redis) -> None:
    owner = person("Olga")
    club = club_of(owner)
    manager = join(club, owner, "Max", ClubRole.MANAGER)
    ring = cast.game(club=club, watched_by="members")
    take = partial(club_games.take_step, club, manager, ring.pk)
    take("freeze", "Pizza")
    take("unfreeze", "Eaten")
    assert not RingGame.objects.get().frozen
    take("freeze", "Pizza")
    operating.freeze(None, ring.pk, "an inquiry")
    operating.freeze(None, ring.pk, "an inquiry")
    words = refused("held_by_room", lambda: take("unfreeze", "Eaten"))
    assert "only they let it go on" in words
    operating.unfreeze(None, ring.pk, "it is over")
    take("freeze", "Pizza")
    take("unfreeze", "Eaten")
    assert not RingGame.objects.get().frozen
    assert RingAuditRow.objects.filter(action="freeze").count() == 4


def test_a_pause_on_the_club_page_is_the_room_s_for_staff_without_a_role(room: Redis) -> None:
    owner = person("Olga")
    club = club_of(owner)
    ring = cast.game(club=club, watched_by="members")
    stan, both = staff_of_clubs("Stan"), staff_of_clubs("Berta")
    join(club, owner, "Berta", ClubRole.MANAGER)
    club_games.take_step(club, both, ring.pk, "freeze", "Pizza")
    club_games.take_step(club, owner, ring.pk, "unfreeze", "Eaten")
    club_games.take_step(club, stan, ring.pk, "freeze", "an inquiry")
    with pytest.raises(HeldByRoom):
        club_games.take_step(club, owner, ring.pk, "unfreeze", "Eaten")
    club_games.take_step(club, stan, ring.pk, "unfreeze", "it is over")
    assert not RingGame.objects.get().frozen
