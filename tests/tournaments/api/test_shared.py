"""Answers that callers share for a second: equal for all who may have them, and for nobody else."""

from __future__ import annotations

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from redis import Redis

from accounts.models import AccessToken, User
from config import limits
from tests.tournaments.api.asking import get, refused, token
from tests.tournaments.cast import started
from tests.tournaments.club_scene import club_started, make_club
from tournaments.api.shared import forget_answers
from tournaments.models import Entry, Tournament

PASSWORD = "a long password"
PARTS = ("", "/results", "/tables", "/hands")


def test_a_private_tournament_is_shared_with_its_members_alone(house: Redis) -> None:
    made = club_started(make_club(), "members", "members")
    member = token(made.entries.all()[0].user, "watch")
    other = token(made.entries.all()[1].user, "watch")
    stranger = token(User.objects.create_user("Stranger", PASSWORD), "watch")
    told = {}
    for address in (f"/tournaments/{made.pk}{part}" for part in PARTS):
        for _ in range(2):
            first, second = get(address, member), get(address, other)
            assert first.status_code == 200 and first.content == second.content
            refused(get(address, stranger), 404, "not_found")
        told[address] = first.content
    User.objects.filter(name="Stranger").update(is_staff=True, is_superuser=True)
    for address, content in told.items():
        assert get(address, stranger).content == content


def test_a_member_who_leaves_the_club_sees_its_tournament_no_more(house: Redis) -> None:
    made = club_started(make_club(), "members", "members")
    user = made.entries.all()[0].user
    text, address = token(user, "watch"), f"/tournaments/{made.pk}/tables"
    assert get(address, text).status_code == 200
    Entry.objects.filter(user=user).update(state=Entry.State.UNREGISTERED)
    user.memberships.all().delete()
    refused(get(address, text), 404, "not_found")


def test_an_answer_is_shared_for_a_moment_and_then_made_anew(house: Redis) -> None:
    made = started(3, seats_per_table=2)
    texts = [token(User.objects.create_user(f"Reader{n}", PASSWORD), "watch") for n in range(3)]
    for address in (f"/tournaments/{made.pk}{part}" for part in PARTS):
        with CaptureQueriesContext(connection) as one:
            first = get(address, texts[0])
        AccessToken.objects.update(used_at=None)
        with CaptureQueriesContext(connection) as next_one:
            second = get(address, texts[1])
        assert first.content == second.content and first.headers == second.headers
        # The token is read, and its use is noted; nothing else is asked for.
        assert len(next_one) == 2 < len(one), [query["sql"] for query in next_one]
        forget_answers()
        assert json.loads(get(address, texts[2]).content) == json.loads(first.content)


def test_a_changed_tournament_is_told_once_the_moment_is_over(house: Redis) -> None:
    made = started(3)
    text = token(User.objects.create_user("Reader", PASSWORD), "watch")
    address = f"/tournaments/{made.pk}"
    assert get(address, text).json()["name"] == made.name
    Tournament.objects.filter(pk=made.pk).update(name="Another name")
    forget_answers()
    assert get(address, text).json()["name"] == "Another name"


def test_pages_after_the_first_are_not_shared(
    house: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "API_ROWS_PER_PAGE", 2)
    made = started(5)
    address = f"/tournaments/{made.pk}/results"
    text = token(User.objects.create_user("Reader", PASSWORD), "watch")
    first = get(address, text).json()
    second = get(address, text, cursor=first["next"]).json()
    third = get(address, text, cursor=second["next"]).json()
    numbers = [row["number"] for page in (first, second, third) for row in page["items"]]
    assert len(set(numbers)) == 5 and third["next"] == ""
    refused(get(address, text, cursor=first["next"] + "x"), 400, "invalid_cursor")
    assert get(address, text).json() == first


def test_a_missing_tournament_is_not_remembered(house: Redis) -> None:
    text = token(User.objects.create_user("Reader", PASSWORD), "watch")
    refused(get("/tournaments/123456/results", text), 404, "not_found")
    Tournament.objects.create(
        pk=123456, name="T", start="sit_and_go", structure=[], starting_stack=1_000
    )
    assert get("/tournaments/123456/results", text).json() == {"items": [], "next": ""}
