"""Tournaments made and run by the API: rights, records, keys, and refusals that change nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from redis import Redis

from accounts.models import ApiAnswer, Club
from config import limits
from tests.tournaments.api.asking import get, post, refused, token
from tests.tournaments.cast import offer, open_offer, started, structure
from tests.tournaments.club_scene import club_offer, club_started, join, make_club, person
from tournaments.models import AuditRow, Template, Tournament
from tournaments.running import club_templates, operations

SCOPE = "manage:tournaments"


def staff(*rights: str) -> str:
    """Token of a member of staff with some rights."""
    user = person("Stan", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=rights))
    return token(user, SCOPE)


def manager(club: Club) -> str:
    """Token of a manager of a club."""
    return token(join(club, "Max", "manager"), SCOPE)


@pytest.fixture
def template(house: Redis) -> Template:
    chosen = {"buy_in": 500, "players_min": 2, "players_max": 6, "seats_per_table": 6}
    return Template.objects.create(name="Turbo", structure=structure(), offer=chosen)


def address(template: Template) -> str:
    return f"/templates/{template.pk}/tournaments"


def step(text: str, tournament: Tournament, name: str, reason: str = "because") -> Any:
    return post(f"/tournaments/{tournament.pk}/steps", text, {"step": name, "reason": reason})


def test_staff_make_one_tournament_for_a_key_from_a_template(template: Template) -> None:
    text = staff("add_tournament")
    [row] = get("/templates", text).json()["items"]
    assert (row["id"], row["name"], row["structure"]) == (template.pk, "Turbo", "turbo")
    body = {"reason": "Friday", "name": "Friday night"}
    first = post(address(template), text, body, key="friday")
    assert first.status_code == 201
    made = Tournament.objects.get()
    assert first.json()["id"] == made.pk
    assert (made.name, made.buy_in, made.state) == ("Friday night", 500, "announced")
    assert made.template == template
    audit = AuditRow.objects.get(tournament=made, action="create")
    assert (audit.actor, audit.reason) == (person("Stan"), "Friday")
    assert post(address(template), text, body, key="friday").json() == first.json()
    again = body | {"name": "Saturday"}
    refused(post(address(template), text, again, key="friday"), 409, "reused_key")
    refused(post(address(template), text, body), 400, "missing_key")
    assert Tournament.objects.count() == 1
    timed = again | {"starts_at": "2020-01-01T20:00:00Z"}
    assert post(address(template), text, again, key="b").json()["name"] == "Saturday"
    Template.objects.update(offer=template.offer | {"start": "scheduled"})
    refused(post(address(template), text, timed, key="c"), 409, "bad_offer")
    assert Tournament.objects.count() == 2 == ApiAnswer.objects.count()


def test_managers_repeat_and_run_the_tournaments_of_their_club_alone(house: Redis) -> None:
    club, other = make_club(), make_club("Otto", "Sharks")
    text = manager(club)
    like, foreign, public = club_offer(club), club_offer(other), offer()
    body = {"reason": "next evening", "name": "Second"}
    made = post(f"/tournaments/{like.pk}/copies", text, body, key="a")
    assert made.status_code == 201
    second = Tournament.objects.get(name="Second")
    assert (second.club, second.watched_by, second.entered_by) == (club, "members", "members")
    assert (second.buy_in, second.levels()) == (like.buy_in, like.levels())
    assert AuditRow.objects.get(tournament=second).actor == person("Max")
    assert step(text, second, "open").json()["state"] == "registering"
    opened = AuditRow.objects.get(tournament=second, action="open")
    assert (opened.actor, opened.reason) == (person("Max"), "because")
    before = AuditRow.objects.count()
    for tournament, status, code in (
        (foreign, 404, "not_found"),
        (public, 403, "missing_permission"),
        (Tournament(pk=10**9), 404, "not_found"),
    ):
        refused(post(f"/tournaments/{tournament.pk}/copies", text, body, key="b"), status, code)
        refused(step(text, tournament, "open"), status, code)
    refused(get("/templates", text), 403, "missing_permission")
    refused(post("/templates/1/tournaments", text, body, key="c"), 403, "missing_permission")
    assert AuditRow.objects.count() == before


def test_staff_repeat_the_tournaments_of_the_room_and_not_those_of_clubs(house: Redis) -> None:
    text, room, club = staff("add_tournament", "view_tournament"), offer(), club_offer(make_club())
    made = post(f"/tournaments/{room.pk}/copies", text, {"reason": "again"}, key="a")
    assert made.status_code == 201 and made.json()["name"] == room.name
    answer = post(f"/tournaments/{club.pk}/copies", text, {"reason": "again"}, key="b")
    refused(answer, 403, "missing_permission")
    assert club.club is not None and club.club.tournaments.count() == 1


def test_managers_use_the_templates_of_their_clubs_alone(house: Redis) -> None:
    club, other = make_club(), make_club("Otto", "Sharks")
    text = manager(club)
    source = club_offer(club, entered_by="invited", buy_in=777)
    own = club_templates.keep(club, person("Max"), source.pk, "Friday")
    foreign = club_templates.keep(other, person("Otto"), club_offer(other).pk, "Theirs")
    [row] = get("/club-templates", text).json()["items"]
    assert (row["id"], row["name"], row["club"]) == (own.pk, "Friday", club.pk)
    assert row["tournament"] == source.pk
    body = {"reason": "next evening"}
    use = f"/club-templates/{own.pk}/tournaments"
    first = post(use, text, body, key="a")
    assert first.status_code == 201 and post(use, text, body, key="a").json() == first.json()
    made = Tournament.objects.get(pk=first.json()["id"])
    assert (made.name, made.buy_in, made.state) == ("Friday", 777, "announced")
    assert (made.club, made.watched_by, made.entered_by) == (club, "members", "invited")
    audit = AuditRow.objects.get(tournament=made, action="create")
    assert (audit.actor, audit.reason) == (person("Max"), "next evening")
    before = Tournament.objects.count()
    member, sharks = token(join(club, "Mia"), SCOPE), token(person("Otto"), SCOPE)
    organiser = staff("add_tournament", "view_tournament", "run_tournament")
    for asking in (member, sharks, organiser):
        refused(post(use, asking, body, key="b"), 404, "not_found")
        assert "Friday" not in get("/club-templates", asking).content.decode()
    refused(
        post(f"/club-templates/{foreign.pk}/tournaments", text, body, key="b"), 404, "not_found"
    )
    refused(post("/club-templates/999/tournaments", text, body, key="b"), 404, "not_found")
    refused(post(use, text, body), 400, "missing_key")
    refused(post(use, text, {"reason": ""}, key="b"), 400, "invalid_request")
    assert Tournament.objects.count() == before
    assert get("/templates", organiser).json()["items"] == [], "no club's template is the room's"


def test_the_level_clock_is_set_once_in_a_moment_and_once_for_a_key(
    house: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, tournament = staff("run_tournament"), started(2)
    assert step(text, tournament, "next_level").json()["state"] == "running"
    refused(step(text, tournament, "next_level"), 409, "clock_just_set")
    refused(step(text, tournament, "more_time"), 409, "clock_just_set")
    named = {"step": "next_level", "reason": "again"}
    monkeypatch.setattr(operations, "SET_AGAIN_S", 0)
    for _ in range(2):
        answer = post(f"/tournaments/{tournament.pk}/steps", text, named, key="late")
        assert answer.json()["state"] == "running"
    assert AuditRow.objects.filter(tournament=tournament, action="next_level").count() == 2


def test_a_level_that_is_over_is_not_ended_for_a_program_that_saw_it(
    house: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operations, "SET_AGAIN_S", 0)
    text, tournament = staff("run_tournament"), started(2)
    asks = f"/tournaments/{tournament.pk}/steps"
    watching = token(person("Wanda"), "watch")
    assert get(f"/tournaments/{tournament.pk}", watching).json()["item"] == 0
    seen = {"step": "next_level", "reason": "late", "item": 0}
    assert post(asks, text, seen).json()["item"] == 1
    refused(post(asks, text, seen), 409, "level_over")
    refused(post(asks, text, seen | {"step": "more_time"}), 409, "level_over")
    assert AuditRow.objects.filter(tournament=tournament, action="next_level").count() == 1
    assert post(asks, text, seen | {"item": 1}).json()["item"] == 2
    assert step(text, tournament, "cancel").json()["item"] is None


def test_every_step_is_taken_once_and_recorded(house: Redis) -> None:
    text = staff("run_tournament")
    running, announced = started(2), offer()
    for name, state in (("pause", "paused"), ("resume", "running"), ("cancel", "cancelled")):
        for _ in range(2):
            assert step(text, running, name).json()["state"] == state
        row = AuditRow.objects.get(tournament=running, action=name)
        assert (row.actor, row.reason) == (person("Stan"), "because")
    refused(step(text, running, "resume"), 409, "cannot_resume")
    refused(step(text, running, "next_level"), 409, "cannot_next_level")
    assert step(text, announced, "open").json()["state"] == "registering"
    refused(step(text, announced, "start"), 409, "too_few_players")
    announced.refresh_from_db()
    assert announced.state == "registering"


def test_rights_are_those_of_the_cockpit(template: Template) -> None:
    made = open_offer()
    for text, body in (
        (token(person("Paula"), SCOPE), "player"),
        (staff("add_tournament"), "may make, not run"),
        (staff("view_tournament"), "may look"),
    ):
        refused(step(text, made, "cancel", body), 403, "missing_permission")
    text = staff("run_tournament")
    refused(post(address(template), text, {"reason": "x"}, key="k"), 403, "missing_permission")
    refused(
        post(f"/tournaments/{made.pk}/copies", text, {"reason": "x"}), 403, "missing_permission"
    )
    wrong = token(person("Stan"), "watch", "play", "wallet", "hands:own")
    refused(step(wrong, made, "cancel"), 403, "missing_scope")
    made.refresh_from_db()
    assert made.state == "registering"
    assert not AuditRow.objects.filter(action="cancel").exists()


DEEP = '{"step": "cancel", "reason": ' + "[" * 100_000 + "]" * 100_000 + "}"
BODIES: tuple[object, ...] = (
    {"step": "cancel"},
    {"step": "cancel", "reason": " "},
    {"step": "cancel", "reason": "x" * 301},
    {"step": "cancel", "reason": "a\0b"},
    {"step": "cancel", "reason": 7},
    {"step": "freeze", "reason": "x"},
    {"step": "cancel", "reason": "x", "item": 0},
    {"step": "next_level", "reason": "x", "item": -1},
    {"step": "next_level", "reason": "x", "item": 2**63},
    {"step": "cancel", "reason": "x", "refund": False},
    ["cancel"],
    "not JSON",
    '{"step": "cancel", "reason": "\\ud800"}',
    '{"step": "cancel", "reason": "a\\u200bb"}',
    DEEP,
)


def test_wrong_bodies_are_refused_and_change_nothing(house: Redis) -> None:
    made = club_started(make_club())
    text = token(person("Olga"), SCOPE)
    for body in BODIES:
        refused(post(f"/tournaments/{made.pk}/steps", text, body), 400, "invalid_request")
    large = json.dumps({"step": "cancel", "reason": "x" * limits.BODY_MAX_BYTES})
    refused(post(f"/tournaments/{made.pk}/steps", text, large), 413, "body_too_large")
    made.refresh_from_db()
    assert made.state == "running"


def test_wrong_options_make_no_tournament(template: Template) -> None:
    text = staff("add_tournament")
    for fields in (
        {"starts_at": "tomorrow"},
        {"starts_at": "2030-01-01T20:00:00"},
        {"starts_at": "9999-12-31T23:59:59-12:00"},
        {"name": "x" * 81},
        {"name": "a\0b"},
        {"buy_in": 1},
        {"club": 1},
        {"reason": ""},
        {"reason": "Fri\u202eday"},
    ):
        answer = post(address(template), text, {"reason": "x"} | fields, key="k")
        refused(answer, 400, "invalid_request")
    assert not Tournament.objects.exists() and not ApiAnswer.objects.exists()


def test_names_that_cannot_be_shown_and_times_of_sit_and_gos_make_no_tournament(
    template: Template,
) -> None:
    text, like = staff("add_tournament"), open_offer()
    places = (address(template), f"/tournaments/{like.pk}/copies")
    for fields in (
        {"name": "Fri\u202eday"},
        {"name": "\u200b"},
        {"name": "Friday\nWon by Ann"},
        {"starts_at": "2030-01-01T20:00:00Z"},
    ):
        for place in places:
            answer = post(place, text, {"reason": "x"} | fields, key="k")
            refused(answer, 409, "bad_offer")
    assert Tournament.objects.get() == like and not ApiAnswer.objects.exists()
