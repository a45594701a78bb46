"""The admin copies tournaments of the room; those of a club stay within it."""

from __future__ import annotations

from django.test import Client
from django.urls import reverse
from redis import Redis

from tests.tournaments.cast import open_offer
from tests.tournaments.club_scene import NAME, club_offer, make_club, staff


def test_a_tournament_of_a_club_is_not_cloned_into_the_room(house: Redis, client: Client) -> None:
    made = club_offer(make_club(), password="open sesame")
    ours = open_offer(name="Monday", password="open sesame")
    client.force_login(staff("Sam", "add_tournament", "view_tournament"))
    add = reverse("admin:tournaments_tournament_add")
    listed = client.get(reverse("admin:tournaments_tournament_changelist")).content.decode()
    assert f"?clone={ours.pk}" in listed and f"?clone={made.pk}" not in listed
    client.force_login(staff("Ada", "add_tournament"))
    copy = client.get(f"{add}?clone={made.pk}")
    assert NAME not in copy.content.decode(), "not even its name to who may only make some"
    assert not copy.context["adminform"].form.kept_hash
    assert client.get(f"{add}?clone={ours.pk}").context["adminform"].form.kept_hash
