"""Achievements are earned once, in the transaction that ends a tournament."""

from __future__ import annotations

import io
import json
import zipfile
from functools import partial

import pytest
from django.db import transaction
from redis import Redis

from accounts.users import account_export
from tests.tournaments.cast import Arena, at_once, started
from tests.tournaments.club_scene import person
from tests.tournaments.seasons.cast import finished
from tournaments.models import Entry, Tournament
from tournaments.seasons import achievements, deletion
from tournaments.seasons.achievements import award_achievements
from tournaments.seasons.models import Achievement

pytestmark = pytest.mark.django_db


def earned(name: str) -> set[str]:
    return set(Achievement.objects.filter(user__name=name).values_list("kind", flat=True))


def paid(*names: str, prizes: tuple[int, ...], entrants: int = 0) -> Tournament:
    """A finished tournament with these prizes by place."""
    made = finished(*names)
    for place, prize in enumerate(prizes, start=1):
        Entry.objects.filter(tournament=made, place=place).update(prize=prize)
    made.prizes, made.entrants = list(prizes), entrants or len(names)
    return made


def test_prize_win_and_bubble_are_earned_once() -> None:
    made = paid("Ann", "Ben", "Cid", "Dan", prizes=(700, 300))
    award_achievements(made)
    award_achievements(made)
    assert earned("Ann") == {"first_prize", "first_win"}
    assert earned("Ben") == {"first_prize"}
    assert (earned("Cid"), earned("Dan")) == ({"bubble"}, set())
    award_achievements(paid("Ann", "Cid", "Dan", prizes=(900,)))
    assert earned("Ann") == {"first_prize", "first_win"}
    assert Achievement.objects.get(user__name="Ann", kind="first_win").tournament == made


def test_a_win_heads_up_is_none_and_one_among_fifty_is_big() -> None:
    award_achievements(paid("Ann", "Ben", prizes=(900,)))
    assert earned("Ann") == {"first_prize"}
    award_achievements(paid("Ben", "Ann", prizes=(900,), entrants=50))
    assert earned("Ben") == {"bubble", "first_prize", "first_win", "big_win"}


def test_disqualified_players_earn_nothing() -> None:
    made = paid("Ann", "Ben", "Cid", prizes=(900,))
    Entry.objects.filter(tournament=made, name="Ben").update(state="disqualified")
    award_achievements(made)
    assert earned("Ben") == set() and earned("Ann")


def test_the_twenty_fifth_tournament_makes_a_regular() -> None:
    for _ in range(achievements.REGULAR_AFTER - 1):
        made = finished("Ann", "Ben")
    award_achievements(made)
    assert "regular" not in earned("Ann")
    award_achievements(finished("Ann", "Cid"))
    assert "regular" in earned("Ann") and "regular" not in earned("Cid")


def test_the_end_of_a_tournament_awards_and_a_failed_end_awards_nothing(house: Redis) -> None:
    made = started(3)
    arena = Arena(made.pk, seed=5)
    arena.run()
    winner = Entry.objects.get(tournament=made, place=1)
    assert {"first_prize", "first_win"} <= earned(winner.name)
    Achievement.objects.all().delete()
    with transaction.atomic():
        award_achievements(Tournament.objects.get(pk=made.pk))
        assert earned(winner.name)
        transaction.set_rollback(True)
    assert not Achievement.objects.exists()


def test_tournaments_that_end_at_once_award_each_once(house: Redis) -> None:
    both = [paid("Ann", "Ben", "Cid", prizes=(900, 100)), paid("Ben", "Ann", "Cid", prizes=(9, 1))]
    results = at_once(*(partial(award_achievements, made) for made in both * 3))
    assert results == [None] * 6
    assert (earned("Ann"), earned("Ben")) == ({"first_prize", "first_win"},) * 2


def test_achievements_are_exported_and_deleted_with_the_account() -> None:
    award_achievements(paid("Ann", "Ben", "Cid", prizes=(900,)))
    with zipfile.ZipFile(io.BytesIO(account_export.zipped(person("Ann")))) as packed:
        told = json.loads(packed.read("account.json"))["achievements"]
    assert [row["kind"] for row in told] == ["first_prize", "first_win"]
    deletion.erase(person("Ann"))
    assert earned("Ann") == set() and earned("Ben") == {"bubble"}
