"""Links to overlays open something as long as their makers may run the tournament."""

from __future__ import annotations

import pytest

from accounts.clubs import members
from accounts.models import ClubRole, User
from tests.tournaments.club_scene import club_offer, join, make_club, person, staff
from tournaments.models import Tournament
from tournaments.overlays import linking

pytestmark = pytest.mark.django_db


def made(tournament: Tournament, maker: User) -> tuple[int, str]:
    """Return the key and the token of a new link."""
    link, token = linking.make_link(tournament.pk, maker, name="Main", theme="dark")
    return link.pk, token


def test_a_link_of_a_former_manager_opens_nothing() -> None:
    club = make_club()
    max_, olga = join(club, "Max", "manager"), person("Olga")
    tournament = club_offer(club, cards_up="everybody")
    (link, token), (kept, kept_token) = made(tournament, max_), made(tournament, olga)
    assert linking.rights(token) is not None
    members.change_role(club, olga, max_, ClubRole.MEMBER)
    assert linking.rights(token) is None and linking.find_link(token) is None
    assert linking.valid([link, kept]) == {kept}, "open overlays of the link go on"
    assert [one.pk for one in linking.open_links(tournament.pk)] == [kept]
    assert linking.rights(kept_token) is not None


def test_a_link_of_staff_without_the_right_opens_nothing() -> None:
    tournament = club_offer(make_club(), cards_up="everybody")
    sam = staff("Sam", "run_tournament")
    link, token = made(tournament, sam)
    assert linking.rights(token) is not None
    User.objects.filter(pk=sam.pk).update(is_active=False)
    assert linking.rights(token) is None and linking.valid([link]) == set()
