"""Structures are edited in the admin, with a preview before they are saved."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, Route, expect
from redis import Redis

from accounts.models import User
from config.environment import HOME
from tests.tournaments.cast import offer, structure
from tests.web import browsing
from tournaments.engine.blind_plan import SMALL_BLINDS
from tournaments.engine.chip_set import CHIP_SET, DENOMINATIONS, HAND_OUT
from tournaments.models import Structure

FELT = Path(HOME) / "static" / "js" / "table" / "felt" / "view.js"


def level(small: int | float, big: int | None, **more: Any) -> dict[str, Any]:
    """A level of ten minutes."""
    return {"type": "level", "small_blind": small, "big_blind": big, "lasts_ms": 600_000} | more


LEVELS = [level(5, 10), {"type": "break", "lasts_ms": 300_000}, level(10, 20)]


@pytest.fixture
def boss(house: Redis, client: Client) -> Client:
    """Client logged in as a superuser."""
    client.force_login(User.objects.create_superuser("Boss", "a long password"))
    return client


def ask(boss: Client, items: object, stack: object = 100, players: int = 0) -> str:
    """Preview of the editor for these rows."""
    page = reverse("admin:tournaments_structure_preview")
    sent = {"items": json.dumps(items), "starting_stack": str(stack), "players": players}
    said = boss.post(page, sent)
    assert said.status_code == 200
    return said.content.decode()


@pytest.mark.rule("L-01")
def test_levels_nested_too_deeply_to_be_read_are_refused(boss: Client) -> None:
    form = {"name": "Deep", "starting_stack": "500", "items": "[" * 5_000}
    assert boss.post(reverse("admin:tournaments_structure_preview"), form).status_code == 200
    answer = boss.post(reverse("admin:tournaments_structure_add"), form)
    assert list(answer.context["adminform"].form.errors) == ["items"]
    assert not Structure.objects.filter(name="Deep").exists()


@pytest.mark.rule("L-01")
def test_a_structure_is_saved_from_the_rows_of_its_editor(boss: Client) -> None:
    page = boss.get(reverse("admin:tournaments_structure_add")).content.decode()
    assert "data-structure-editor" in page and "js/admin/structure_editor.js" in page
    form = {"name": "Mine", "starting_stack": 500, "items": json.dumps(LEVELS)}
    boss.post(reverse("admin:tournaments_structure_add"), form)
    assert len(Structure.objects.get(name="Mine").rules().levels) == 2


@pytest.mark.rule("L-01")
@pytest.mark.parametrize(
    ("items", "message"),
    [
        ([], "at least one level"),
        ("levels", "Expected"),
        ([level(10, 20), level(5, 10)], "never fall"),
        ([level(0, 0)], "at least 1"),
        ([level(20, 10)], "at least the small blind"),
        ([level(5, 10, lasts_ms=0)], "lasts more than nothing"),
        ([level(5, 10, lasts_hands=3)], "not both"),
        ([level(5, 10, ante=2)], "says who pays it"),
        ([level(-5, 10)], "between 0 and"),
        ([level(5, 10**13)], "between 0 and"),
        ([{"type": "break", "lasts_ms": 1}, level(5, 10)], "between two levels"),
        ([level(5, 10, colour="red")], "unknown field"),
    ],
)
def test_unplayable_rows_are_refused_with_a_reason_and_not_saved(
    boss: Client, items: object, message: str
) -> None:
    assert message in ask(boss, items)
    form = {"name": "Mine", "starting_stack": 500, "items": json.dumps(items)}
    assert boss.post(reverse("admin:tournaments_structure_add"), form).status_code == 200
    assert not Structure.objects.filter(name="Mine").exists()


@pytest.mark.rule("L-03")
@pytest.mark.parametrize("stack", HAND_OUT)
def test_the_preview_shows_levels_and_the_chips_of_a_starting_stack(
    boss: Client, stack: int
) -> None:
    shown = ask(boss, LEVELS, stack)
    assert "5/10" in shown and "Break" in shown and f"{stack / 10:g}\N{NO-BREAK SPACE}BB" in shown
    assert all(f"{count} × {value}" in shown for value, count in CHIP_SET.items())
    for players, chips in HAND_OUT[stack].items():
        assert f"<td>{players}</td>" in shown
        assert ", ".join(f"{count} × {value}" for value, count in sorted(chips.items())) in shown


@pytest.mark.rule("L-03")
def test_the_page_of_a_tournament_shows_the_chips_of_a_starting_stack(boss: Client) -> None:
    made = offer(starting_stack=100)
    page = boss.get(reverse("tournament", args=[made.pk]), {"tab": "levels"}).content.decode()
    assert "15 × 1" in page and "<td>2-3</td>" in page and "50 × 100" in page


def test_a_stack_that_the_set_does_not_hold_is_shown_without_it(boss: Client) -> None:
    made = offer(starting_stack=3_000)
    page = boss.get(reverse("tournament", args=[made.pk]), {"tab": "levels"}).content.decode()
    for shown in (page, ask(boss, LEVELS, 3_000)):
        assert "3 × 1,000" in shown and "50 × 100" not in shown


def test_the_preview_groups_the_digits_of_large_bets(boss: Client) -> None:
    large = [level(50_000, 100_000, ante=12_500, ante_kind="big_blind")]
    shown = ask(boss, large, 1_000_000)
    assert "50,000/\N{ZERO WIDTH SPACE}100,000" in shown and "12,500" in shown


@pytest.mark.rule("L-03")
def test_stacks_and_bets_are_drawn_with_the_chips_of_the_set() -> None:
    drawn = [int(value) for value in re.findall(r"\[([\d_]+), \"", FELT.read_text())]
    assert drawn == [value for value in DENOMINATIONS if value <= 25_000]


WRONG: tuple[tuple[dict[str, Any], str, tuple[str, str]], ...] = (
    ({"name": ""}, "name", ("required", "zwingend")),
    ({"name": "x" * 61}, "name", ("at most 60", "höchstens 60")),
    ({"name": "turbo"}, "name", ("already exists", "existiert bereits")),
    ({"starting_stack": ""}, "starting_stack", ("required", "zwingend")),
    ({"starting_stack": "many"}, "starting_stack", ("whole number", "ganze Zahl")),
    ({"starting_stack": "1.5"}, "starting_stack", ("whole number", "ganze Zahl")),
    ({"starting_stack": -5}, "starting_stack", ("greater than or equal", "größer oder gleich")),
    (
        {"starting_stack": 10**30},
        "starting_stack",
        ("less than or equal", "kleiner oder gleich"),
    ),
    ({"starting_stack": 10**10}, "starting_stack", ("at most", "höchstens")),
    ({"starting_stack": 0}, "starting_stack", ("at least 10 big", "mindestens 10 Big")),
    ({"starting_stack": 99}, "starting_stack", ("at least 10 big", "mindestens 10 Big")),
    ({"items": ""}, "items", ("required", "zwingend")),
    ({"items": "[{"}, "items", ("valid JSON", "gültiges JSON")),
    (
        {"items": [level(5, 10, small_blind="x")]},
        "items",
        ("Row 1: The levels", "Zeile 1: Die"),
    ),
    ({"items": [level(5, 10), level(7.5, 15)]}, "items", ("Row 2", "Zeile 2")),
    ({"items": [level(5, 10), level(5, None)]}, "items", ("Row 2", "Zeile 2")),
    ({"items": [level(5, 10), level(4, 10)]}, "items", ("Row 2: Blinds", "Zeile 2: Blinds")),
    ({"items": [level(5, 10, lasts_ms=-1)]}, "items", ("Row 1", "Zeile 1")),
    ({"items": [level(5, 10, ante=-1)]}, "items", ("Row 1", "Zeile 1")),
    ({"items": [level(5, 10, ante_kind="all")]}, "items", ("Row 1", "Zeile 1")),
    ({"items": [level(5, 10, bring_in=1)]}, "items", ("Row 1", "Zeile 1")),
    ({"items": [level(5, 10, small_bet=10)]}, "items", ("Row 1", "Zeile 1")),
    (
        {"items": [level(0, 0, bring_in=5, small_bet=20)]},
        "items",
        ("Row 1: In stud every seat pays an ante.", "Zeile 1"),
    ),
    ({"items": [level(10**15, 10**16)]}, "items", ("Row 1", "Zeile 1")),
    ({"items": [level(5, 10)] * 201}, "items", ("at most 200", "höchstens 200")),
)


@pytest.mark.rule("L-01")
def test_each_wrong_field_of_a_structure_is_refused_beside_it_and_nothing_is_saved(
    boss: Client,
) -> None:
    structure("turbo")
    before = list(Structure.objects.values())
    for (wrong, field, words), language in product(WRONG, ("en", "de")):
        form = {"name": "Mine", "starting_stack": 500, "items": LEVELS} | wrong
        if not isinstance(form["items"], str):
            form["items"] = json.dumps(form["items"])
        boss.cookies["django_language"] = language
        answer = boss.post(reverse("admin:tournaments_structure_add"), form)
        assert answer.status_code == 200, wrong
        errors = answer.context["adminform"].form.errors
        assert list(errors) == [field], wrong
        assert words[language == "de"] in " ".join(errors[field]), wrong
        assert list(Structure.objects.values()) == before, wrong


@pytest.mark.rule("L-01")
def test_a_new_structure_opens_with_playable_levels(boss: Client) -> None:
    page = boss.get(reverse("admin:tournaments_structure_add"))
    fields = page.context["adminform"].form.initial
    shown = ask(boss, fields["items"], fields["starting_stack"], 27)
    assert "errornote" not in shown and "warnnote" not in shown
    assert "With 27 players it ends after about 3:" in shown


@pytest.mark.rule("L-01")
def test_a_stack_of_few_big_blinds_gives_a_warning(boss: Client) -> None:
    assert "errornote" in ask(boss, LEVELS, 99)
    assert "A short stack: 10 big blinds" in ask(boss, LEVELS, 100)
    boss.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    assert "10,5 Big Blinds" in ask(boss, LEVELS, 105)
    boss.cookies[settings.LANGUAGE_COOKIE_NAME] = "en"
    assert "A short stack" not in ask(boss, LEVELS, 300)
    assert 'data-item="2"' in ask(boss, [*LEVELS[:2], level(4, 8)], 300)


@pytest.mark.rule("L-01")
def test_one_hand_is_one_hand_in_both_languages(boss: Client) -> None:
    items = [level(1, 2) | {"lasts_ms": 0, "lasts_hands": count} for count in (1, 2)]
    shown = {"en": ("1 hand<", "2 hands<"), "de": ("1 Hand<", "2 Hände<")}
    for language, words in shown.items():
        boss.cookies["django_language"] = language
        page = ask(boss, items, 300)
        assert all(one in page for one in words), page


@pytest.mark.rule("L-01")
def test_levels_are_suggested_for_players_stack_and_hours(boss: Client) -> None:
    page = reverse("admin:tournaments_structure_plan")
    asked = {"players": 27, "starting_stack": 3000, "hours": "3", "ante_kind": "big_blind"}
    items = boss.post(page, asked).json()["items"]
    assert "With 27 players it ends after about 3:" in ask(boss, items, 3000, 27)
    assert any(item.get("ante_kind") == "big_blind" for item in items)
    stud = boss.post(page, asked | {"ante_kind": "none", "stud": "on"}).json()["items"]
    assert stud[0]["small_bet"] == 30 and stud[0]["small_blind"] == 0
    wrong = {"players": "x", "starting_stack": 10, "hours": "99", "ante_kind": "all"}
    for name, value in wrong.items():
        refused = boss.post(page, asked | {name: value})
        assert refused.status_code == 400 and len(refused.json()["errors"]) == 1, name


def test_only_operators_get_previews(house: Redis, client: Client) -> None:
    client.force_login(User.objects.create_user("Player", "a long password"))
    page = reverse("admin:tournaments_structure_preview")
    assert client.post(page, {"items": "[]"}).status_code == 302
    client.force_login(User.objects.create_user("Staff", "a long password", is_staff=True))
    assert client.post(page, {"items": "[]"}).status_code == 403


@pytest.mark.rule("L-01")
def test_rows_are_added_moved_changed_and_removed_in_the_browser() -> None:
    with _editor() as page:

        def items() -> list[dict[str, Any]]:
            rows: list[dict[str, Any]] = json.loads(page.locator("textarea").input_value())
            return rows

        page.locator("[data-act=level]").nth(2).click()
        assert [item["type"] for item in items()] == ["level", "break", "level", "level"]
        assert (items()[3]["small_blind"], items()[3]["big_blind"]) == (15, 30)
        page.locator("[data-act=up]").nth(1).click()
        assert [item["type"] for item in items()] == ["break", "level", "level", "level"]
        page.locator("[data-act=down]").nth(0).click()
        page.get_by_label("Big blind").nth(2).fill("40")
        page.get_by_label("Ante is paid").nth(2).select_option("big_blind")
        page.get_by_label("Ante", exact=True).nth(2).fill("40")
        page.locator("tbody tr").nth(3).locator("select").nth(1).select_option("hands")
        last = items()[3]
        assert (last["big_blind"], last["ante"], last["ante_kind"]) == (40, 40, "big_blind")
        assert (last["lasts_ms"], last["lasts_hands"]) == (0, 10)
        page.locator("[data-act=remove]").nth(1).click()
        assert [item["type"] for item in items()] == ["level", "level", "level"]
        page.get_by_text("previewed").wait_for()


@pytest.mark.rule("L-01")
def test_the_editor_keeps_the_keyboard_and_shows_the_newest_preview() -> None:
    with _editor() as page:
        held: list[Route] = []
        page.get_by_text("previewed").wait_for()

        def hold(route: Route) -> None:
            held.append(route)

        page.route("**/preview", hold)
        page.locator("[data-act=down]").nth(0).click()
        expect(page.locator("[data-act=down]").nth(1)).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("[data-act=down]").nth(2)).to_be_focused()
        browsing.wait_until(page, lambda: len(held) == 1)
        page.locator("[data-act=up]").nth(2).click()
        expect(page.locator("[data-act=up]").nth(1)).to_be_focused()
        browsing.wait_until(page, lambda: len(held) == 2)
        held[1].fulfill(body="<b>newer</b>")
        page.get_by_text("newer").wait_for()
        with page.expect_response("**/preview"):
            held[0].fulfill(body="<b>older</b>")
        page.wait_for_timeout(300)
        expect(page.locator(".structure-preview")).to_have_text("newer")
        page.locator("[data-act=remove]").nth(2).click()
        expect(page.locator("[data-act=remove]").nth(1)).to_be_focused()


@contextmanager
def _editor() -> Iterator[Page]:
    """Editor of `LEVELS` in a browser."""
    from tournaments.admin.structure_form import words

    area = {
        "words": json.dumps(words(), default=str),
        "items": json.dumps(LEVELS),
        "ladder": json.dumps(SMALL_BLINDS),
    }
    with browsing.files() as address, browsing.headless() as browser:
        page = browser.new_page(locale="en-GB")
        page.route("**/preview", lambda route: route.fulfill(body="<b>previewed</b>"))
        page.goto(f"{address}/static/js/admin/structure_rows.js")
        page.evaluate(
            """async ({ words, items, ladder }) => {
              document.body.innerHTML = '<input id="id_starting_stack" value="100">';
              const area = document.createElement("textarea");
              Object.assign(area.dataset, { words, ladder, preview: "/preview" });
              area.dataset.structureEditor = "";
              area.value = items;
              document.body.append(area);
              await import("/static/js/admin/structure_editor.js");
            }""",
            area,
        )
        yield page
