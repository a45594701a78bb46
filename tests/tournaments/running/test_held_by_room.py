"""A club's tournament that staff of the room paused goes on by staff alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.urls import reverse
from redis import Redis

from accounts.models import Club, User
from tests.accounts.browsers import browser
from tests.tournaments.admin.steps import step
from tests.tournaments.cast import started
from tests.tournaments.club_scene import club_started, join, make_club, person, staff
from tournaments.models import AuditRow, Tournament
from tournaments.refusals import TournamentHeldByRoom
from tournaments.running import operations

REASON = {"reason": "an inquiry"}


@pytest.fixture
def club(house: Redis) -> Club:
    return make_club()


def state(tournament: Tournament) -> str:
    return Tournament.objects.get(pk=tournament.pk).state


@pytest.mark.parametrize(
    "make", [lambda: staff("Stan", "run_tournament"), lambda: staff("Sid", "change_club")]
)
def test_a_manager_does_not_end_a_pause_of_staff(club: Club, make: Callable[[], User]) -> None:
    made, clerk = club_started(club), make()
    manager = join(club, "Max", "manager")
    operations.pause(made.pk, actor=clerk, reason="an inquiry")
    for actor in (manager, person("Olga")):
        with pytest.raises(TournamentHeldByRoom):
            operations.resume(made.pk, actor=actor, reason="enough")
    page = browser(manager).post(reverse("cockpit_step", args=[made.pk, "resume"]), REASON)
    assert "only they let it go on" in page.content.decode()
    assert state(made) == "paused" and not AuditRow.objects.filter(action="resume").exists()
    operations.resume(made.pk, actor=clerk, reason="it is over")
    assert state(made) == "running"
    operations.pause(made.pk, actor=manager, reason="pizza")
    operations.resume(made.pk, actor=manager, reason="eaten")
    assert state(made) == "running"


def test_staff_take_over_a_pause_of_a_manager(club: Club) -> None:
    made, clerk = club_started(club), staff("Stan", "view_tournament", "run_tournament")
    manager = join(club, "Max", "manager")
    page = reverse("cockpit", args=[made.pk])
    pause = reverse("cockpit_step", args=[made.pk, "pause"])
    operations.pause(made.pk, actor=manager, reason="pizza")
    assert pause not in browser(manager).get(page).content.decode()
    assert pause in browser(clerk).get(page).content.decode()
    shown = browser(clerk).get(step("pause", made)).content.decode()
    assert "Not possible in this state" not in shown
    for _ in range(2):
        browser(clerk).post(step("pause", made), REASON)
    assert AuditRow.objects.filter(action="pause").count() == 2, "a second click writes no row"
    assert pause not in browser(clerk).get(page).content.decode()
    with pytest.raises(TournamentHeldByRoom):
        operations.resume(made.pk, actor=manager, reason="eaten")


def test_staff_with_a_role_in_the_club_pause_as_its_managers(club: Club) -> None:
    made, both = club_started(club), staff("Berta", "change_club")
    join(club, "Berta", "manager")
    operations.pause(made.pk, actor=both, reason="pizza")
    operations.resume(made.pk, actor=person("Olga"), reason="eaten")
    assert state(made) == "running"


def test_a_pause_of_a_tournament_of_the_room_is_held_by_nobody(house: Redis) -> None:
    made, clerk = started(2), staff("Stan", "run_tournament")
    operations.pause(made.pk, actor=clerk, reason="an inquiry")
    assert AuditRow.objects.get(action="pause").details == {"before": "running", "after": "paused"}
