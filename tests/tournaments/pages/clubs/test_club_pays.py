"""Pages of a club's tournament say that the club pays what it promised, not the room."""

from __future__ import annotations

from django.urls import reverse
from redis import Redis

from accounts.models import User
from tests.accounts.browsers import browser
from tests.tournaments.admin.steps import step
from tests.tournaments.cast import offer
from tests.tournaments.club_scene import club_offer, make_club, person
from tournaments.admin.offers import prizes


def test_the_pages_of_a_step_name_the_club_that_pays(house: Redis) -> None:
    ours, theirs = offer(added=300), club_offer(make_club(), added=300)
    olga = browser(person("Olga"))
    boss = browser(User.objects.create_superuser("Boss", "a long password"))

    def asked(name: str, pk: int) -> str:
        reader = boss if pk == ours.pk else olga
        return reader.get(reverse("cockpit_step", args=[pk, name])).content.decode()

    for name, words in (("open", "Set aside by the"), ("cancel", "Won bounties, paid by the")):
        assert f"{words} room" in asked(name, ours.pk)
        assert f"{words} club" in asked(name, theirs.pk)
        assert "by the room" not in asked(name, theirs.pk)
    listed = boss.get(step("open", ours, theirs)).content.decode()
    assert "3.00 (River Rats)" in listed and listed.count("(River Rats)") == 1


def test_the_form_of_a_club_adds_money_of_the_club(house: Redis) -> None:
    club = make_club()
    page = browser(person("Olga")).get(reverse("club_offer", args=[club.slug])).content.decode()
    assert "Added by the club" in page and "dded by the room" not in page


def test_the_preview_of_prizes_names_the_club_that_pays(house: Redis) -> None:
    ours, theirs = offer(added=300), club_offer(make_club(), added=300)
    assert "3.00 from the room" in prizes.table(ours, 9)
    assert "3.00 from the club" in prizes.table(theirs, 9)
