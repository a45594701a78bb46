"""The tournament form shows the prizes before it is saved; every refusal has a sentence."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation
from redis import Redis

from accounts.models import User
from tests.tournaments.admin.forms import offer_form, template_form
from tests.web import browsing
from tournaments import engine
from tournaments.models import Template, Tournament

_SENTENCE = re.compile(r'\b_\(\s*((?:"[^"]*"\s*)+)\)')


@pytest.fixture
def boss(house: Redis, client: Client) -> Client:
    """Client logged in as a superuser."""
    client.force_login(User.objects.create_superuser("Boss", "a long password"))
    return client


@pytest.mark.rule("Z-02")
@pytest.mark.rule("Z-01")
def test_the_prizes_of_an_expected_field_are_shown_and_nothing_is_saved(boss: Client) -> None:
    page = reverse("admin:tournaments_offer_prizes")
    form = offer_form(payout_table="2-100: 70 30", guarantee=500, planned=20)
    shown = boss.post(page, form).content.decode()
    assert "20 entries: a pool of 500.00, of it 300.00 from the room." in shown
    assert "Set aside at the opening: 480.00" in shown
    assert "350.00" in shown and "150.00" in shown and "70.00" in shown
    both = boss.post(page, form | {"planned": ""}).content.decode()
    assert "2 entries" in both and "100 entries: a pool of 1,000.00, of it 0.00" in both
    wrong = boss.post(page, form | {"payout_table": "2-100: 70 20"}).content.decode()
    assert "exactly 100 %" in wrong and "<table>" not in wrong
    deep = boss.post(page, form | {"payout_table": "[" * 5_000}).content.decode()
    assert "A row" in deep and "<table>" not in deep
    assert not Tournament.objects.exists()


@pytest.mark.rule("F-05")
@pytest.mark.rule("F-07")
@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"format": "spin", "players_min": 3, "players_max": 3}, "9,970.00"),
        ({"format": "double_or_nothing", "players_min": 8, "players_max": 8}, "1–4"),
        ({"players_min": 2, "players_max": 5000, "payout_preset": "wide"}, "5000 entries"),
        ({"buy_in": 0, "fee": 0, "added": 77, "planned": 9}, "77.00 from the room"),
    ],
)
def test_every_format_shows_its_own_prizes(
    boss: Client, fields: dict[str, object], words: str
) -> None:
    form = template_form(**{"schedule": "none", "buy_in": 10} | fields)
    shown = boss.post(reverse("admin:tournaments_template_prizes"), form).content.decode()
    assert words in shown, shown
    assert not Template.objects.exists()


def test_a_name_that_no_row_holds_is_named_beside_the_preview(boss: Client) -> None:
    form = template_form(schedule="none", name="a\0b")
    shown = boss.post(reverse("admin:tournaments_template_prizes"), form)
    assert "Null characters are not allowed" in shown.content.decode()


def test_the_prize_preview_needs_the_permission_to_make_tournaments(
    house: Redis, client: Client
) -> None:
    client.force_login(User.objects.create_user("Staff", "a long password", is_staff=True))
    for name in ("offer_prizes", "template_prizes"):
        assert client.post(reverse(f"admin:tournaments_{name}"), offer_form()).status_code == 403


def test_the_preview_button_uses_the_current_values_of_the_form() -> None:
    with browsing.files() as address, browsing.headless() as browser:
        page = browser.new_page(locale="en-GB")
        page.route(
            "**/prizes", lambda route: route.fulfill(body=f"<b>{route.request.post_data}</b>")
        )
        page.goto(f"{address}/static/js/shared/dom.js")
        page.evaluate(
            """async () => {
              document.body.innerHTML = `<form><input name="buy_in" value="300">
                <input name="planned" data-prizes="/prizes" data-words="Show the prizes"></form>`;
              await import("/static/js/admin/offer_preview.js");
            }"""
        )
        page.locator("[name=planned]").fill("30")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.get_by_text("buy_in=300&planned=30").wait_for()


def test_every_refusal_of_the_rules_has_a_sentence_in_both_languages() -> None:
    rules = Path(engine.__file__).parent
    found = [_SENTENCE.findall(path.read_text()) for path in rules.glob("*.py")]
    sentences = {"".join(re.findall(r'"([^"]*)"', each)) for group in found for each in group}
    assert len(sentences) > 70
    for sentence in sentences:
        with translation.override("de"):
            assert translation.gettext(sentence) != sentence
