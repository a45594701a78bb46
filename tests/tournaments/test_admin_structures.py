"""Structures are made in the admin with an editor, and looked at before they are saved."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, Route, expect
from redis import Redis

from accounts.models import User
from config.environment import HOME
from tests.tournaments.cast import offer
from tests.web import browsing
from tournaments.engine.chip_set import CHIP_SET, DENOMINATIONS, HAND_OUT
from tournaments.models import Structure

FELT = Path(HOME) / "static" / "js" / "felt_view.js"


def level(small: int, big: int, **more: Any) -> dict[str, Any]:
    """A level of ten minutes."""
    return {"type": "level", "small_blind": small, "big_blind": big, "lasts_ms": 600_000} | more


LEVELS = [level(5, 10), {"type": "break", "lasts_ms": 300_000}, level(10, 20)]


@pytest.fixture
def boss(house: Redis, client: Client) -> Client:
    """A browser logged in as somebody who may do everything."""
    client.force_login(User.objects.create_superuser("Boss", "a long password"))
    return client


def ask(boss: Client, items: object, stack: object = 100) -> str:
    """What the editor is shown for these rows."""
    page = reverse("admin:tournaments_structure_preview")
    said = boss.post(page, {"items": json.dumps(items), "starting_stack": str(stack)})
    assert said.status_code == 200
    return said.content.decode()


@pytest.mark.rule("L-01")
def test_a_structure_is_saved_from_the_rows_of_its_editor(boss: Client) -> None:
    page = boss.get(reverse("admin:tournaments_structure_add")).content.decode()
    assert "data-structure-editor" in page and "js/structure_editor.js" in page
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
def test_rows_that_cannot_be_played_say_why_and_are_not_saved(
    boss: Client, items: object, message: str
) -> None:
    assert message in ask(boss, items)
    form = {"name": "Mine", "starting_stack": 500, "items": json.dumps(items)}
    assert boss.post(reverse("admin:tournaments_structure_add"), form).status_code == 200
    assert not Structure.objects.filter(name="Mine").exists()


@pytest.mark.rule("L-03")
@pytest.mark.parametrize("stack", HAND_OUT)
def test_the_preview_shows_levels_and_the_chips_that_are_handed_out(
    boss: Client, stack: int
) -> None:
    shown = ask(boss, LEVELS, stack)
    assert "5/10" in shown and "Break" in shown and f"{stack / 10} big blinds" in shown
    assert all(f"{count} × {value}" in shown for value, count in CHIP_SET.items())
    for players, chips in HAND_OUT[stack].items():
        assert f"<td>{players}</td>" in shown
        assert ", ".join(f"{count} × {value}" for value, count in sorted(chips.items())) in shown


@pytest.mark.rule("L-03")
def test_the_page_of_a_tournament_shows_the_hand_out(boss: Client) -> None:
    made = offer(starting_stack=100)
    page = boss.get(reverse("tournament", args=[made.pk]), {"tab": "levels"}).content.decode()
    assert "15 × 1" in page and "<td>2-3</td>" in page and "50 × 100" in page


@pytest.mark.rule("L-03")
def test_stacks_and_bets_are_drawn_with_the_chips_of_the_set() -> None:
    drawn = [int(value) for value in re.findall(r"\[([\d_]+), \"", FELT.read_text())]
    assert drawn == [value for value in DENOMINATIONS if value <= 25_000]


def test_only_operators_are_shown_previews(house: Redis, client: Client) -> None:
    client.force_login(User.objects.create_user("Player", "a long password"))
    page = reverse("admin:tournaments_structure_preview")
    assert client.post(page, {"items": "[]"}).status_code == 302
    client.force_login(User.objects.create_user("Staff", "a long password", is_staff=True))
    assert client.post(page, {"items": "[]"}).status_code == 403


@pytest.mark.rule("L-01")
def test_rows_are_added_moved_changed_and_removed_in_the_browser() -> None:
    with _editor() as page:

        def items() -> list[dict[str, Any]]:
            return json.loads(page.evaluate("document.querySelector('textarea').value"))

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
        _wait_for(page, held, 1)
        page.locator("[data-act=up]").nth(2).click()
        expect(page.locator("[data-act=up]").nth(1)).to_be_focused()
        _wait_for(page, held, 2)
        held[1].fulfill(body="<b>newer</b>")
        page.get_by_text("newer").wait_for()
        with page.expect_response("**/preview"):
            held[0].fulfill(body="<b>older</b>")
        page.wait_for_timeout(300)
        expect(page.locator(".structure-preview")).to_have_text("newer")
        page.locator("[data-act=remove]").nth(2).click()
        expect(page.locator("[data-act=remove]").nth(1)).to_be_focused()


def _wait_for(page: Page, held: list[Route], count: int) -> None:
    while len(held) < count:
        page.wait_for_timeout(50)


@contextmanager
def _editor() -> Iterator[Page]:
    """The editor of `LEVELS`, in a browser."""
    from tournaments.admin.structure_form import words

    area = {"words": json.dumps(words(), default=str), "items": json.dumps(LEVELS)}
    with browsing.files() as address, browsing.headless() as browser:
        page = browser.new_page(locale="en-GB")
        page.route("**/preview", lambda route: route.fulfill(body="<b>previewed</b>"))
        page.goto(f"{address}/static/js/structure_rows.js")
        page.evaluate(
            """async ({ words, items }) => {
              document.body.innerHTML = '<input id="id_starting_stack" value="100">';
              const area = document.createElement("textarea");
              Object.assign(area.dataset, { words, preview: "/preview", structureEditor: "" });
              area.value = items;
              document.body.append(area);
              await import("/static/js/structure_editor.js");
            }""",
            area,
        )
        yield page
