"""Every field with every kind of wrong value, by template, `--offer` and simulation (T-05)."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from django import forms
from django.core.management import CommandError, call_command
from django.db import models
from django.test import Client
from django.urls import reverse
from django.utils import translation
from redis import Redis

from accounts.admin.units import UnitField
from accounts.models import User
from accounts.refusals import line_of
from config.refusals import Refusal
from deploy.cluster import headless
from deploy.cluster.room import ClusterOptions
from tests.tournaments.admin.form_values import form_of, wrong_values
from tests.tournaments.admin.forms import offer_form, template_form
from tests.tournaments.cast import structure
from tournaments.admin.offers.form import TournamentSpecForm
from tournaments.admin.templates import TemplateForm
from tournaments.models import AuditRow, Structure, Template, Tournament
from tournaments.running import series
from tournaments.schedule import options
from tournaments.simulation.options import SimulationOptions

HUGE, LONG = 10**30, "x" * 1_000
PLAIN = {"name": "One", "variant": "holdem", "limit": "no_limit", "start": "sit_and_go"}
FIELD = {"players_min": 27, "players_max": 27}
HOUSE_CHOICES = ("variant", "limit", "payout_preset")
SPIN = {"format": "spin", "players_min": 3, "players_max": 3, "buy_in": 1_000}
OWN_KINDS: dict[str, list[Any]] = {
    "spin_odds": [None, "", "x", 5, ["2"], {"2": "x"}, {"two": 100_000}, {"2": 1}, {"9" * 30: 1},
                  {"2": 50_000, "02": 50_000, "4": 50_000}],
    "spin_splits": [None, "x", -1, {"two": [1]}, {"2": []}, {"2": "x"}, {"2": [-1]}, {"77": [1]},
                    {"02": [8_000, 2_000]}, {"\u0662": [8_000, 2_000]}],
    "payout_table": ["", "x", -1, [], {}, [{}], [{"fewest": 9, "most": 2, "shares": [10_000]}]],
    "deal_kinds": [None, "x", -1, {}, ["bogus"], [["icm"]], [None]],
    "bounty_players": [None, "x", -1, [], {"Ann": "x"}, {"Ann": -1}, {"Ann": HUGE}, {"A\0": 1}],
    "structure": ["", "x", -1, HUGE, [], {}, [{}], [{"type": "level"}],
                  [{"type": "level", "small_blind": 2, "big_blind": 1, "lasts_ms": 1_000}]],
    "target": ["", "x", -1, HUGE, 1.5, [], True],
    "starts_at": ["", "x", -1, HUGE, [], "2026-13-40T99:99", "1999-01-01T10:00:00",
                  "9999-12-31T23:59:59-12:00"],
}  # fmt: skip


def wrong_words(field: Any) -> list[Any]:
    """Wrong values of a field as JSON: empty, negative, huge, letters, other types."""
    if field.name in OWN_KINDS:
        return OWN_KINDS[field.name]
    if isinstance(field, models.BooleanField):
        return [None, "", "x", 5, []]
    if isinstance(field, models.IntegerField):
        return [None, "", "ten", -1, HUGE, 1.5, True, []]
    assert isinstance(field, models.CharField), f"{field.name} needs wrong values of its own"
    wrong: list[Any] = [None, -1, HUGE, [], LONG, "a\0b", "\ud800"]
    chosen = field.choices or field.name in (*HOUSE_CHOICES, "structure_name")
    return [*wrong, *(["", "bogus"] if chosen else [] if field.blank else [""])]


OFFERS = [
    (name, wrong)
    for name in options.OFFERED
    for wrong in wrong_words(Tournament._meta.get_field(name))
]


def refused(act: Callable[[], object]) -> str:
    """Line of a refusal; any other output fails the test."""
    with pytest.raises(Refusal) as refusal:
        act()
    return line_of(refusal.value)


def around(name: str) -> dict[str, object]:
    """Valid options beside a wrong one."""
    if name.startswith("spin_"):
        return SPIN
    return {"start": "scheduled"} if name == "starts_at" else {}


def rows() -> tuple[int, ...]:
    """Number of rows of each model that could be saved."""
    return tuple(model.objects.count() for model in (Tournament, Template, Structure, AuditRow))


def in_both(act: Callable[[], str]) -> tuple[str, str]:
    """A sentence in English and in German."""
    with translation.override("en"):
        english = act()
    with translation.override("de"):
        return english, act()


@pytest.mark.rule("T-05")
def test_offers_and_templates_refuse_every_wrong_option_with_one_sentence(house: Redis) -> None:
    turbo = structure("turbo")
    before = rows()
    for name, wrong in OFFERS:
        beside = around(name)

        def by_offer(name: str = name, wrong: Any = wrong, beside: Any = beside) -> str:
            players = beside.get("players_max", 27)
            asked = ClusterOptions(players=players, seats=9, offer=beside | {name: wrong})
            return refused(lambda: headless.create(asked))

        def by_template(name: str = name, wrong: Any = wrong, beside: Any = beside) -> str:
            said = PLAIN | FIELD | beside | {name: wrong}
            return refused(
                lambda: series.validate_template(Template(name="One", structure=turbo, offer=said))
            )

        english, german = in_both(by_offer)
        assert english.startswith(f"{name}: "), (name, wrong, english)
        assert english != german and german.startswith(f"{name}: "), (name, wrong, german)
        if name in series.UNSAID:
            assert by_template() == f"offer: {name} is not part of a template's offer."
        else:
            assert by_template() == english, (name, wrong)
    assert rows() == before


def words_of(wrong: Any) -> str | None:
    """A wrong value as a shell argument; None for a value without one."""
    if wrong is None or isinstance(wrong, bool | float | list | dict):
        return None
    return None if str(wrong) in ("\ud800", "a\0b") else str(wrong)


@pytest.mark.rule("T-05")
def test_a_simulation_refuses_every_wrong_option_as_an_offer_does(house: Redis) -> None:
    hints = get_type_hints(SimulationOptions)
    alone = {"level_ms", "late_players", "think_ms", "players"}
    alone |= {name for name in hints if name.endswith(("_percent", "_after_hands"))}
    before, compared = rows(), set()
    for name, kind in hints.items():
        wrong: list[str]
        if kind is int:
            wrong = ["", "ten", "-1", str(HUGE), "1.5"]
        elif kind is bool:
            wrong = ["", "maybe", "5"]
        elif get_origin(kind) is tuple or name == "cancel":
            wrong = ["bogus", LONG, "-1"]
        else:
            assert kind is str or get_args(kind), f"{name} needs wrong values of its own"
            wrong = ["", "bogus", LONG, "-1"]
        for words in wrong:

            def by_simulation(name: str = name, words: str = words) -> str:
                given = ["simulate", "--options", f"{name}={words}"]
                with pytest.raises(CommandError) as told:
                    call_command(*given, stdout=StringIO())
                return str(told.value)

            english, german = in_both(by_simulation)
            assert english.startswith(f"{name}: ") and "\n" not in english, (name, words, english)
            assert english != german, (name, words)
            if name in options.OFFERED and name not in alone | {"structure"}:
                value: Any = int(words) if kind is int and words.strip("-").isdigit() else words
                if get_origin(kind) is tuple:
                    value = [words]
                asked = ClusterOptions(players=27, seats=9, offer={name: value})
                assert refused(lambda asked=asked: headless.create(asked)) == english, words  # type: ignore[misc]
                compared.add(name)
    assert compared == set(options.OFFERED) & set(hints) - {"structure"} and rows() == before


FORM_CASES = [
    (name, wrong)
    for name, field in TemplateForm.base_fields.items()
    for wrong in wrong_values(name, field)
]
OPEN = {
    "bounty_players",
    *(n for n, field in TemplateForm.base_fields.items() if isinstance(field, forms.BooleanField)),
}


def shown(form: Any, name: str) -> str:
    """Return the only sentence of a form, beside its only wrong field."""
    assert list(form.errors) == [name], (name, form.errors)
    (sentence,) = form.errors[name]
    return str(sentence)


@pytest.mark.rule("T-05")
def test_each_wrong_field_of_a_template_is_refused_beside_it_in_both_languages(
    house: Redis,
) -> None:
    given = template_form()
    walked = {name for name, _wrong in FORM_CASES}
    assert walked | OPEN == set(TemplateForm.base_fields), "every field has wrong values"
    bounties = [("bounty_players", words) for words in ("Ann", "Ann: x", "Ann: -1", "Nobody: 5")]
    for name, wrong in [*FORM_CASES, *bounties]:
        value = [wrong] if name in ("weekdays", "deal_kinds") else wrong

        def by_form(name: str = name, value: Any = value) -> str:
            return shown(TemplateForm(given | {name: value}), name)

        english, german = in_both(by_form)
        assert english != german, (name, wrong, english)
        # The form of a tournament has equal sentences for equal fields.
        if name in TournamentSpecForm.base_fields and name != "name":
            form = TournamentSpecForm(
                offer_form(variant="holdem", limit="no_limit") | {name: value}
            )
            assert shown(form, name) == english, (name, wrong)


@pytest.mark.rule("T-05")
@pytest.mark.parametrize("language", ["en", "de"])
def test_forms_and_offers_refuse_with_one_sentence_in_common_units(
    house: Redis, language: str
) -> None:
    compared = set()
    for name in set(options.OFFERED) & set(TemplateForm.base_fields):
        field, row = TemplateForm.base_fields[name], Tournament._meta.get_field(name)
        counts = isinstance(row, models.IntegerField) and not isinstance(field, UnitField)
        if counts and name != "late_value":
            cases: list[Any] = [-1, HUGE, "many"]
        elif row.choices or name in HOUSE_CHOICES:  # type: ignore[union-attr]
            cases = ["bogus"]
        elif isinstance(row, models.CharField):
            cases = [LONG]
        else:
            continue
        for wrong in cases:
            with translation.override(language):
                said = shown(TemplateForm(template_form() | {name: wrong}), name)
                asked = ClusterOptions(players=27, seats=9, offer={name: wrong})
                assert refused(lambda asked=asked: headless.create(asked)) == f"{name}: {said}"  # type: ignore[misc]
        compared.add(name)
    assert len(compared) > 35


CONTRADICTIONS: list[tuple[dict[str, object], str]] = [
    ({"players_min": 50, "players_max": 20}, "players_max"),
    ({"starting_stack": 3}, "starting_stack"),
    ({"rebuys_max": 1}, "rebuy_until_level"),
    ({"methods": "ticket", "activity": ""}, "activity"),
    ({"format": "satellite"}, "target"),
    ({"spin_odds": "2: 75\n4: 25"}, "spin_odds"),
    ({"spin_splits": "2: 75 25"}, "spin_splits"),
    ({"schedule": "daily", "at_time": ""}, "at_time"),
    ({"schedule": "weekly", "weekdays": []}, "weekdays"),
    ({"schedule": "daily", "announce_h": 0}, "announce_h"),
    ({"schedule": "daily", "announce_h": 9_999}, "announce_h"),
    ({"schedule": "refill", "start": "scheduled"}, "schedule"),
    ({"secret": "one password", "open_to_all": "on"}, "open_to_all"),
    ({"payout_table": "2-9: 70 20"}, "payout_table"),
    ({"payout_table": "2-9: 30 70"}, "payout_table"),
]


@pytest.mark.rule("T-05")
@pytest.mark.parametrize("page", ["add", "change"])
def test_the_template_page_refuses_beside_the_field_and_keeps_the_stored_values(
    house: Redis, client: Client, page: str
) -> None:
    client.force_login(User.objects.create_superuser("Boss", "a long password"))
    add = reverse("admin:tournaments_template_add")
    address, kept = add, None
    template_form()  # stores the structures that forms choose from
    if page == "change":
        assert client.post(add, template_form(secret="open sesame")).status_code == 302
        kept = Template.objects.values().get()
        address = reverse("admin:tournaments_template_change", args=[kept["id"]])
    before = rows()
    everything: dict[str, object] = {
        name: wrong for name, wrong in reversed(FORM_CASES) if name not in HOUSE_CHOICES
    }
    # A public template has no password to drop.
    single: list[tuple[dict[str, object], list[str]]] = [
        *((wrong, [name]) for wrong, name in CONTRADICTIONS
          if page == "change" or name != "open_to_all"),
        *((dict[str, object]({name: "bogus"}), [name]) for name in HOUSE_CHOICES),
    ]  # fmt: skip
    cases: list[tuple[dict[str, object], list[str]]] = [(everything, list(everything)), *single]
    for number, (wrong, fields) in enumerate(cases):
        client.cookies["django_language"] = ("en", "de")[number % 2]
        answer = client.post(address, template_form(**{"secret": "", **wrong}))
        assert answer.status_code == 200, wrong
        page_shown = answer.content.decode()
        for field in fields:
            assert field in form_of(answer).errors, (wrong, form_of(answer).errors)
            assert field == "weekdays" or f'id="id_{field}_error"' in page_shown, field
    assert rows() == before and Template.objects.values().first() == kept


@pytest.mark.rule("T-05")
@pytest.mark.parametrize("text", ["", "x", "5", "[]", '"x"', "null", "{", "@/no/such/file", "\0"])
def test_json_options_without_an_object_end_the_command(text: str) -> None:
    with pytest.raises(CommandError, match=r"--offer.*JSON"):
        call_command("cluster", "--headless", "--offer", text)


@pytest.mark.rule("T-05")
def test_an_unplayable_number_of_bots_or_seats_is_refused(house: Redis) -> None:
    before = rows()
    for players, seats, field in ((0, 9, "players"), (-5, 9, "players"), (10**9, 9, "players"),
                                  (6, 0, "seats_per_table"), (6, -1, "seats_per_table"),
                                  (6, 10**9, "seats_per_table")):  # fmt: skip
        asked = ClusterOptions(players=players, seats=seats, offer={})
        english, german = in_both(lambda asked=asked: refused(lambda: headless.create(asked)))  # type: ignore[misc]
        assert english.startswith(field) and english != german, (players, seats, english)
    assert rows() == before
