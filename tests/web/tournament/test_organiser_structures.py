"""The structure editor in a real browser: ready to use, with suggested levels."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from tests.tables.gateway.socket_site import site
from tests.web.visiting import DESK, PHONE, Visit, visit
from tournaments.models import Structure

__all__ = ["site", "visit"]

ADD = "/admin/tournaments/structure/add/"


@pytest.fixture
def boss() -> User:
    return User.objects.create_superuser("Boss", "a long password")


def _fits(page: Page, width: int) -> bool:
    """Assert that the page needs no horizontal scrolling."""
    return bool(page.evaluate("document.documentElement.scrollWidth") <= width)


@pytest.mark.rule("L-01")
def test_the_editor_opens_without_an_error_and_with_a_visible_preview(
    visit: Visit, boss: User
) -> None:
    page = visit(boss, ADD)
    preview = page.locator(".structure-preview")
    expect(preview).to_contain_text("With 27 players it ends after about 3:")
    expect(page.locator(".errornote:visible")).to_have_count(0)
    box = preview.bounding_box()
    assert box is not None and box["y"] < DESK[1] - 200
    assert box["x"] >= 0 and box["x"] + box["width"] <= DESK[0]
    assert _fits(page, DESK[0])


@pytest.mark.rule("L-01")
def test_levels_are_suggested_edited_and_saved_on_a_phone(visit: Visit, boss: User) -> None:
    page = visit(boss, ADD, PHONE)
    page.locator("[name=name]").fill("Monday")
    page.locator("[name=starting_stack]").fill("1500")
    page.locator("[data-plan-field=players]").fill("9")
    page.locator("[data-plan-field=hours]").fill("1")
    page.locator("[data-act=plan]").click()
    expect(page.locator(".structure-preview")).to_contain_text("With 9 players it ends after")
    page.locator("[data-plan-field=hours]").fill("100")
    page.locator("[data-act=plan]").click()
    expect(page.locator(".structure-plan .errornote")).to_contain_text("Hours:")
    assert _fits(page, PHONE[0])
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".messagelist")).to_contain_text("Monday")
    assert Structure.objects.get(name="Monday").starting_stack == 1500
