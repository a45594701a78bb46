"""Invalid options get one sentence from form, template, `--offer` and simulation (T-05)."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import translation
from redis import Redis

from accounts.models import User
from accounts.refusals import line_of
from config.refusals import Refusal
from deploy.cluster import headless
from deploy.cluster.room import ClusterOptions
from tests.tournaments.admin.forms import offer_form, template_form
from tournaments.models import Structure, Template, Tournament
from tournaments.running import series

PLAIN = {"name": "One", "variant": "holdem", "limit": "no_limit", "start": "sit_and_go"}
FIELD = {"players_min": 27, "players_max": 27}


def by_form(client: Client, page: str, form: dict[str, object]) -> dict[str, list[str]]:
    """Errors of an admin form, by field."""
    answer = client.post(reverse(page), form)
    assert answer.status_code == 200, "nothing was saved"
    errors: dict[str, list[str]] = answer.context["adminform"].form.errors
    return errors


def by_simulation(wrong: dict[str, object]) -> str:
    """Last output line of `manage.py simulate`."""
    words = [f"{name}={str(value).lower()}" for name, value in wrong.items()]
    with pytest.raises(CommandError) as refused:
        call_command("simulate", "--options", "start=sit_and_go", *words, stdout=StringIO())
    return str(refused.value)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("buy_in", {"buy_in": -1}),
        ("starting_stack", {"starting_stack": 1}),
        ("limit", {"variant": "omaha", "limit": "spread_limit"}),
        ("seats_per_table", {"variant": "omaha5", "seats_per_table": 9}),
        ("late_ends", {"late_ends": "at_level", "late_value": 2}),
        ("entries_max", {"several_at_once": True}),
        ("merge_at", {"merge_at": 3}),
        ("rebuy_until_level", {"rebuys_max": 1}),
        ("add_on", {"add_on": True}),
        ("bounty", {"progressive_bp": 5000}),
        ("deals_allowed", {"format": "satellite", "deals_allowed": True}),
    ],
)
def test_all_four_entry_points_refuse_with_one_sentence(
    house: Redis, client: Client, language: str, field: str, wrong: dict[str, Any]
) -> None:
    client.force_login(User.objects.create_superuser("Boss", "a long password"))
    client.cookies["django_language"] = language
    sent = {name: "on" if value is True else value for name, value in wrong.items()}
    asked = {name: "" if value is False else value for name, value in sent.items()}
    if "progressive_bp" in asked:
        asked["progressive_bp"] = wrong["progressive_bp"] / 100  # forms use percent
    with translation.override(language):
        told = by_form(
            client, "admin:tournaments_tournament_add", offer_form(**PLAIN, **FIELD) | asked
        )
        assert list(told) == [field]
        (sentence,) = told[field]
        kept = by_form(
            client,
            "admin:tournaments_template_add",
            template_form(schedule="refill", **FIELD) | asked,
        )
        assert kept[field] == [sentence]
        with pytest.raises(Refusal) as offered:
            headless.create(ClusterOptions(players=27, seats=9, offer=wrong))
        assert line_of(offered.value) == f"{field}: {sentence}"
        row = Template(
            name="One", structure=Structure.objects.get(name="turbo"), offer=PLAIN | FIELD | wrong
        )
        with pytest.raises(Refusal) as templated:
            series.validate_template(row)
        assert line_of(templated.value) == line_of(offered.value)
        assert by_simulation(wrong) == line_of(offered.value)
    assert not Tournament.objects.exists() and not Template.objects.exists()
