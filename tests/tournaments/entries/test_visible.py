"""Lists show the tournaments whose pages open: the query agrees with the rule for one."""

from __future__ import annotations

import itertools

import pytest
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext
from redis import Redis

from accounts.models import User
from tests.tournaments.cast import offer
from tests.tournaments.club_scene import club_offer, join, make_club, person
from tournaments.entries import privacy
from tournaments.entries.visible import visible
from tournaments.models import Admission, Entry, Guest, Tournament
from tournaments.models.audience import Audience
from tournaments.models.tournament import SeenBy


def staff(name: str, *rights: str) -> User:
    """A member of staff with some rights."""
    user = person(name, is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=rights))
    return User.objects.get(pk=user.pk)


@pytest.mark.rule("T-02")
def test_lists_agree_with_the_rule_for_one_tournament(house: Redis) -> None:
    club = make_club()
    people = [
        person("Olga"),
        join(club, "Max", "manager"),
        join(club, "Mia"),
        *(person(name) for name in ("Gus", "Eve", "Ada", "Quitter", "Stranger")),
        staff("Viewer", "view_tournament"),
        staff("Clerk", "change_club"),
        staff("Cleaner"),
    ]
    secret, first = make_password("sesame"), None
    for audience, seen_by, password in itertools.product(
        [None, *Audience.values], SeenBy.values, ["", secret]
    ):
        made = offer() if audience is None else club_offer(club)
        Tournament.objects.filter(pk=made.pk).update(
            seen_by=seen_by, password=password, watched_by=audience or Audience.EVERYBODY
        )
        Guest.objects.create(tournament=made, user=person("Gus"))
        for number, name in enumerate(("Eve", "Quitter"), start=1):
            state = Entry.State.REGISTERED if name == "Eve" else Entry.State.UNREGISTERED
            user = person(name)
            Entry.objects.create(tournament=made, user=user, number=number, name=name, state=state)
        first = first or (made if password else None)
    assert first is not None
    Admission.objects.create(user=person("Ada"), tournament=first)
    everything = list(Tournament.objects.all())
    seen_by_name = {}
    for user in people:
        with CaptureQueriesContext(
            connection,
        ) as queries:
            rows = set(visible(user).values_list("pk", flat=True))
        assert len(queries) <= 3
        assert rows == {row.pk for row in everything if privacy.may_see(user, row)}, user.name
        seen_by_name[user.name] = len(rows)
    assert seen_by_name["Viewer"] == len(everything) > seen_by_name["Ada"]
    assert seen_by_name["Ada"] > seen_by_name["Stranger"] == seen_by_name["Quitter"] > 0
