"""Organisers create a tournament on their own page, with the form of the admin."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse
from django.utils import translation
from redis import Redis

from accounts.admin.units import UnitField
from accounts.models import User
from tests.tournaments.admin.form_values import form_of, wrong_values
from tests.tournaments.admin.forms import offer_form
from tests.tournaments.cast import open_offer, structure
from tournaments.admin.offers import units
from tournaments.admin.offers.fields import ASKED
from tournaments.admin.offers.form import TournamentSpecForm
from tournaments.models import AuditRow, Tournament
from tournaments.pages.offering import PageForm
from tournaments.schedule import options

PAGES = ("organise_new", "admin:tournaments_tournament_add")
POSTS = 9
"""Posts that share the wrong fields: a page takes a fifth of a second to render its fields."""


@pytest.fixture
def boss(house: Redis, client: Client) -> Client:
    """Client logged in as a superuser."""
    client.force_login(User.objects.create_superuser("Boss", "a long password"))
    return client


def walk() -> list[tuple[str, str]]:
    """Every field of the form with each of its wrong values."""
    made = TournamentSpecForm.base_fields
    names = [*ASKED, "structure_row", "hours", "planned", "secret", "reason", "start_zone", "token"]
    return [(name, value) for name in names if name != "secret"
            for value in wrong_values(name, made[name])]  # fmt: skip


@pytest.mark.rule("T-05")
def test_each_wrong_field_is_refused_beside_it_in_both_languages(house: Redis) -> None:
    given = {name: str(value) for name, value in offer_form().items()}
    found: dict[tuple[str, str], list[str]] = {}
    for language in ("en", "de"):
        with translation.override(language):
            for name, value in walk():
                form = TournamentSpecForm(given | {name: value})
                assert form.errors.get(name), (name, value, form.errors)
                found.setdefault((name, value), []).append(" ".join(map(str, form.errors[name])))
    same = {case for case, (english, german) in found.items() if english == german}
    assert not same, "each refusal is in the language of the reader"
    assert len({name for name, _ in found}) > 50


@pytest.mark.rule("T-05")
@pytest.mark.parametrize("page", PAGES)
def test_a_page_with_wrong_fields_shows_each_error_beside_its_field_and_saves_nothing(
    boss: Client, page: str
) -> None:
    first = list(dict(reversed(walk())).items())
    posts = [dict(first[number::POSTS]) for number in range(POSTS)]
    while posts:
        wrong = posts.pop()
        answer = boss.post(reverse(page), offer_form(**wrong))
        form, shown = form_of(answer), answer.content.decode()
        refused = {name for name in wrong if form.errors.get(name)}
        assert answer.status_code == 200 and refused, wrong
        if page == "organise_new":
            visible = {name for name in refused if not form[name].is_hidden}
            assert {name for name in visible if f'id="id_{name}_error"' not in shown} == set()
        # Some fields are judged by the values of others: they are refused alone.
        posts += [{name: value} for name, value in wrong.items() if name not in refused]
    assert not Tournament.objects.exists() and not AuditRow.objects.exists()


@pytest.mark.rule("T-05")
@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"players_min": 50, "players_max": 20}, "players_max"),
        ({"starting_stack": 3}, "starting_stack"),
        ({"structure_row": "", "hours": ""}, "structure_row"),
        ({"structure_row": "", "hours": "3", "starting_stack": 39}, "starting_stack"),
        ({"repeats": "on"}, "repeat_every_s"),
        ({"rebuys_max": 1}, "rebuy_until_level"),
        ({"methods": "ticket"}, "activity"),
        ({"format": "satellite"}, "target"),
        ({"add_on": "on"}, "add_on"),
        ({"progressive_bp": 50}, "bounty"),
        ({"variant": "stud", "limit": "fixed_limit", "seats_per_table": 8}, "structure_row"),
        ({"late_ends": "at_level", "late_value": "1.5"}, "late_value"),
        ({"start_zone": "Europe/Berlin", "starts_at": "2027-03-28T02:30"}, "starts_at"),
    ],
)
def test_options_that_contradict_each_other_are_refused_beside_one_of_them(
    boss: Client, wrong: dict[str, Any], field: str
) -> None:
    answers = [boss.post(reverse(page), offer_form(**wrong)) for page in PAGES]
    for answer in answers:
        assert answer.status_code == 200 and form_of(answer).errors.get(field)
    assert f'id="id_{field}_error"' in answers[0].content.decode()
    assert not Tournament.objects.exists()


@pytest.mark.rule("T-05")
def test_a_tournament_is_made_and_opened_with_a_few_fields(boss: Client) -> None:
    fresh = boss.get(reverse("organise_new")).context["form"]
    given = {
        "name": "Monday",
        "format": "freezeout",
        "variant": "holdem",
        "limit": "no_limit",
        "start": "sit_and_go",
        "buy_in": "5,50",
        "structure_row": "",
        "hours": "2",
        "players_min": 2,
        "players_max": 18,
        "token": fresh["token"].value(),
        "open": "1",
    }
    answer = boss.post(reverse("organise_new"), given)
    assert answer.status_code == 302, answer.context["form"].errors
    made = Tournament.objects.get()
    assert (made.state, made.buy_in, made.starting_stack) == ("registering", 550, 5_000)
    assert made.structure_name == "2 hours" and made.levels().levels[0].big_blind <= 100
    rows = AuditRow.objects.filter(tournament=made).order_by("pk")
    assert [(row.action, str(row.actor)) for row in rows] == [("create", "Boss"), ("open", "Boss")]
    again = boss.post(reverse("organise_new"), given)
    assert "sent already" in again.content.decode() and Tournament.objects.count() == 1
    for hours, name in (("1", "1 hour"), ("1.5", "1.5 hours")):
        page = boss.get(reverse("organise_new")).context["form"]
        form = {**given, "hours": hours, "token": page["token"].value()}
        assert boss.post(reverse("organise_new"), form).status_code == 302
        assert Tournament.objects.latest("pk").structure_name == name


@pytest.mark.rule("F-05")
def test_a_format_with_a_set_field_needs_no_start_and_no_numbers(boss: Client) -> None:
    structure("turbo")
    form = offer_form(format="spin", variant="holdem", limit="no_limit", secret="")
    for name in ("start", "starts_at", "players_min", "players_max"):
        del form[name]
    form |= {"spin_odds": "2: 75\n4: 25", "spin_splits": "4: 80 20"}
    answer = boss.post(reverse("organise_new"), form)
    assert answer.status_code == 302, answer.context["form"].errors
    made = Tournament.objects.get()
    assert (made.start, made.players_min, made.players_max) == ("sit_and_go", 3, 3)
    assert made.spin_odds == {"2": 75_000, "4": 25_000} and made.spin_splits == {"4": [8000, 2000]}


@pytest.mark.rule("T-04")
def test_a_start_is_a_time_of_the_organisers_own_zone(boss: Client) -> None:
    form = offer_form(starts_at="2027-01-15T20:00", start_zone="Europe/Berlin")
    assert boss.post(reverse("organise_new"), form).status_code == 302
    made = Tournament.objects.get()
    assert made.starts_at == datetime(2027, 1, 15, 19, tzinfo=UTC)
    assert made.start_zone == "Europe/Berlin", "its series goes by the clocks there"


@pytest.mark.parametrize("page", PAGES)
def test_a_form_shows_no_rule_codes_storage_units_or_json(boss: Client, page: str) -> None:
    for language in ("en", "de"):
        boss.cookies["django_language"] = language
        form = form_of(boss.get(reverse(page)))
        assert isinstance(form, TournamentSpecForm)
        for name, field in form.fields.items():
            said = f"{field.label} {field.help_text}"
            assert not re.search(r"\b[A-Z]-\d\d|\(ms\)|JSON|asis points|asispunkte", said), name


def test_both_pages_use_one_form_with_every_option() -> None:
    assert issubclass(PageForm, TournamentSpecForm)
    assert set(ASKED) == set(options.OFFERED) - {"structure", "structure_name"} - {"levels"}
    assert set(ASKED) <= set(TournamentSpecForm.base_fields)


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_stored_value_is_shown_in_a_unit_and_read_back(language: str) -> None:
    samples = {100: (0, 1, 550, 10**12), 1_000: (500, 15_000), 60_000: (0, 60_000), 60: (0, 3_600)}
    with translation.override(language):
        for field in units.fields(ASKED, Tournament).values():
            if isinstance(field, UnitField):
                low, high = field.min_value or 0, field.max_value
                assert isinstance(low, int | Decimal) and isinstance(high, int | Decimal)
                for value in samples[field.scale]:
                    if int(low * field.scale) <= value <= high * field.scale:
                        assert field.clean(field.prepare_value(value)) == value
        odds = units.fields(("spin_odds", "spin_splits"), Tournament)
        for name, table in {
            "spin_odds": {"2": 77_385, "4": 22_615},
            "spin_splits": {"9": [8000, 2000]},
        }.items():
            assert odds[name].clean(odds[name].prepare_value(table)) == table


def test_money_fields_are_distinct_from_chips_and_times() -> None:
    row = Tournament._meta
    amounts = {name for name in ASKED if units.is_money(row.get_field(name))}
    assert amounts >= {"buy_in", "fee", "added", "guarantee", "bounty", "pro_bounty", "rebuy_price"}
    assert not amounts & {"starting_stack", "rebuy_chips", "add_on_chips", "play_time_ms"}


@pytest.mark.rule("E-01")
def test_an_end_of_late_registration_by_time_is_in_minutes(boss: Client) -> None:
    form = offer_form(late_ends="at_time", late_value="90")
    assert boss.post(reverse("organise_new"), form).status_code == 302
    made = Tournament.objects.get()
    assert made.late_value == 90 * 60_000
    clone = boss.get(f"{reverse(PAGES[1])}?clone={made.pk}")
    assert form_of(clone)["late_value"].value() == "90"


def test_the_preview_shows_levels_prizes_and_the_end_and_saves_nothing(boss: Client) -> None:
    page = reverse("organise_preview")
    shown = boss.post(page, offer_form(planned=20, name="")).content.decode()
    assert "With 20 players it ends after about" in shown and "10/20" in shown
    assert "20 entries: a pool of 200.00" in shown
    wrong = boss.post(page, offer_form(buy_in="ten")).content.decode()
    assert "Buy-in:</b> Enter a number." in wrong
    assert not Tournament.objects.exists()


def test_the_form_needs_the_staff_permission_to_make_tournaments(
    house: Redis, client: Client
) -> None:
    pages = [reverse("organise_new"), reverse("organise_preview")]
    assert client.get(pages[0]).status_code == 302
    player = User.objects.create_user("Player", "a long password")
    player.user_permissions.add(Permission.objects.get(codename="add_tournament"))
    staff = User.objects.create_user("Staff", "a long password", is_staff=True)
    for user in (player, staff):
        client.force_login(user)
        assert [client.post(page, offer_form()).status_code for page in pages] == [403, 403]
        assert reverse("organise") not in client.get("/").content.decode()
    staff.user_permissions.add(Permission.objects.get(codename="add_tournament"))
    client.force_login(User.objects.get(pk=staff.pk))
    assert reverse("organise") in client.get("/").content.decode()
    page = client.get(pages[0]).content.decode()
    assert "Create only" in page and 'name="open"' not in page
    form = offer_form(open="1")
    assert client.post(pages[0], form).status_code == 302
    assert Tournament.objects.get().state == "announced"
    assert open_offer().state == "registering"
