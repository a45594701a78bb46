"""A club with its people and its tournaments, for tests."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import Permission

from accounts.clubs import profiles
from accounts.clubs.profiles import ClubProfile
from accounts.models import Club, Membership, User
from accounts.users import bots
from tests.tournaments.cast import offer, started
from tournaments.entries import guests
from tournaments.models import Entry, Tournament

NAME = "Secret evening"


def person(name: str, **fields: Any) -> User:
    """Return the user of that name, created on first use."""
    return User.objects.filter(name=name).first() or User.objects.create_user(name, **fields)


def make_club(owner: str = "Olga", name: str = "River Rats") -> Club:
    """Make a club of an owner."""
    return profiles.make_club(person(owner), ClubProfile(name))


def join(club: Club, name: str, role: str = "member") -> User:
    """Make a person a member of a club."""
    user = person(name)
    Membership.objects.create(club=club, user=user, role=role)
    return user


def club_offer(club: Club, **fields: Any) -> Tournament:
    """An announced tournament of a club, for its members unless said otherwise."""
    first = {"name": NAME, "watched_by": "members", "entered_by": "members"}
    return offer(**(first | fields), club=club)


def club_started(
    club: Club, watched_by: str = "members", entered_by: str = "members"
) -> Tournament:
    """A running tournament of a club's two bots, with Gus as a guest."""
    for bot in bots.create(2):
        Membership.objects.get_or_create(club=club, user=bot)
    if entered_by == "invited":
        entered = "members"
        made = started(2, name=NAME, club=club, watched_by="members", entered_by=entered)
        Tournament.objects.filter(pk=made.pk).update(watched_by=watched_by, entered_by=entered_by)
        made.refresh_from_db()
    else:
        made = started(2, name=NAME, club=club, watched_by=watched_by, entered_by=entered_by)
    person("Gus")
    guests.invite(made.pk, "Gus", actor=person("Olga"))
    return made


def staff(name: str, *codenames: str) -> User:
    """Return a member of staff with these permissions."""
    user = person(name, is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    return User.objects.get(pk=user.pk)


def people(club: Club, made: Tournament) -> dict[str, User | None]:
    """Return one person of each kind, by name of the kind."""
    if not club.memberships.filter(user__name="Mia").exists():
        join(club, "Mia")
        join(club, "Max", "manager")
        make_club("Otto", "Turn Toads")
    return {
        "nobody": None,
        "outsider": person("Stan"),
        "manager of another": person("Otto"),
        "other staff": staff("Sam", "credit_money"),
        "member": person("Mia"),
        "invited": person("Gus"),
        "entered": Entry.objects.filter(tournament=made).order_by("pk")[0].user,
        "manager": person("Max"),
        "owner": person("Olga"),
        "staff": staff("Sue", "view_tournament"),
    }


LISTS = {"member", "invited", "entered", "manager", "owner", "staff"}
"""Kinds of people who know of a tournament that is not for everybody."""

WATCHES = {
    "everybody": {"nobody", "outsider", "manager of another", "other staff", *LISTS},
    "members": LISTS,
    "invited": LISTS - {"member"},
}
"""Audience -> kinds of people who watch."""
