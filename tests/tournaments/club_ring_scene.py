"""A ring game of a club with its people: two members who play, and one of each kind around them."""

from __future__ import annotations

import random
from typing import Any

from redis import Redis

from accounts.models import Club, Membership, User
from tables.models import Hand as HandRow
from tables.ring.models import RingGame, RingSession
from tables.ring.sessions import sit_down
from tests.deploy.cluster.held_pages import Hand
from tests.tables.ring.room import cast
from tests.tournaments.club_scene import join, make_club, person, staff

NAME = "Basement game"


def club_ring(club: Club, watched_by: str = "members", **terms: Any) -> RingGame:
    """An open ring game of a club."""
    return cast.game(**({"name": NAME} | terms), club=club, watched_by=watched_by)


def member_with_money(club: Club, name: str) -> User:
    """A member with play money."""
    user = cast.player(name)
    Membership.objects.create(club=club, user=user)
    return user


def seated(club: Club, ring: RingGame, *names: str) -> list[RingSession]:
    """Sessions of new members who have sat down."""
    return [
        sit_down.sit(member_with_money(club, name), ring.pk, amount=cast.BUY_IN) for name in names
    ]


def playing(room: Redis, club: Club, ring: RingGame) -> Hand:
    """A finished hand of two members, Patricia and Quentin, who still sit there."""
    seated(club, ring, "Patricia", "Quentin")
    cast.play_hand(room, cast.table_of(ring), random.Random(1))
    row = HandRow.objects.get()
    return Hand(1, row.table_id, row.number, 1, "Patri", "link", ring.pk)


def people(club: Club) -> dict[str, User | None]:
    """Return one person of each kind, by name of the kind."""
    if not club.memberships.filter(user__name="Mia").exists():
        member_with_money(club, "Mia")
        join(club, "Max", "manager")
        make_club("Otto", "Turn Toads")
    return {
        "nobody": None,
        "outsider": person("Stan"),
        "manager of another": person("Otto"),
        "other staff": staff("Sam", "credit_money"),
        "member": person("Mia"),
        "seated": person("Patricia"),
        "manager": person("Max"),
        "owner": person("Olga"),
        "staff": staff("Sue", "view_ringgame"),
        "staff of clubs": staff("Sid", "change_club"),
    }


OUTSIDE = {"nobody", "outsider", "manager of another", "other staff"}
"""Kinds of people who do not know of a game for members."""

MANAGES = {"manager", "owner", "staff of clubs"}
"""Kinds of people who run the games of the club."""
