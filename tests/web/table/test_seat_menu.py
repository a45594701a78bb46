"""The menu of another player's seat: the private note, its mark, keys and windows."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from accounts.player_notes import notes
from accounts.player_notes.models import PlayerNote
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.socket_table import Game, game
from tests.web.visiting import DESK, PHONE, Visit, visit

__all__ = ["game", "site", "visit"]

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")


def _table(visit: Visit, game: Game, seat: int | None, size: tuple[int, int] = DESK) -> Page:
    user = None if seat is None else game.user(seat)
    page = visit(user, f"/tables/{game.row.pk}/", size)
    expect(page.locator(".pod").first).to_be_visible()
    return page


def test_a_note_is_written_at_the_seat_and_marks_it(visit: Visit, game: Game) -> None:
    actor, about = game.actor, game.others[0]
    name = game.user(about).name
    page = _table(visit, game, actor)
    expect(page.locator(".action-panel .verb").first).to_be_visible()
    page.get_by_role("button", name=f"Menu of {name}").focus()
    page.keyboard.press("Enter")
    menu = page.get_by_role("dialog", name=name)
    menu.get_by_label("Note, only for you").fill("calls wide f c r")
    menu.get_by_role("radio", name="Red").check(force=True)
    menu.get_by_role("button", name="Save the note").click()
    expect(menu).to_be_hidden()
    opener = page.get_by_role("button", name=f"Menu of {name}, note: Red: calls wide f c r")
    expect(opener).to_be_focused()
    expect(page.locator(".pod > .note-mark:visible")).to_have_count(1)
    assert game.moves_waiting() == 0, "no key of the note was one of the game"
    row = PlayerNote.objects.get()
    assert (row.owner, row.about, row.colour) == (game.user(actor), game.user(about), "red")
    other = _table(visit, game, about)
    expect(other.locator(".seat-open:visible")).to_have_count(2)
    expect(other.locator(".pod > .note-mark:visible")).to_have_count(0)


def test_a_refused_note_is_explained_and_stays_in_the_form(visit: Visit, game: Game) -> None:
    page = _table(visit, game, 1, PHONE)
    page.get_by_role("button", name=f"Menu of {game.user(2).name}").click()
    page.get_by_label("Note, only for you").fill("a\u202eb")
    page.get_by_role("button", name="Save the note").click()
    expect(page.locator(".note-form .status")).to_contain_text("cannot be shown here")
    expect(page.get_by_label("Note, only for you")).to_have_value("a\u202eb")
    assert not PlayerNote.objects.exists()


def test_a_kept_note_is_shown_changed_and_deleted(visit: Visit, game: Game) -> None:
    notes.write_note(game.user(1), game.user(2), text="folds", colour="blue")
    page = _table(visit, game, 1)
    expect(page.locator('.pod > .note-mark[data-colour="blue"]:visible')).to_have_count(1)
    page.get_by_role("button", name=f"Menu of {game.user(2).name}").click()
    expect(page.get_by_label("Note, only for you")).to_have_value("folds")
    page.get_by_label("Note, only for you").fill("")
    page.get_by_role("radio", name="No colour").check(force=True)
    page.get_by_role("button", name="Save the note").click()
    expect(page.locator(".pod > .note-mark:visible")).to_have_count(0)
    assert not PlayerNote.objects.exists()


def test_a_note_written_elsewhere_is_shown_before_it_is_changed(visit: Visit, game: Game) -> None:
    page = _table(visit, game, 1)
    notes.write_note(game.user(1), game.user(2), text="folds", colour="blue")
    page.get_by_role("button", name=f"Menu of {game.user(2).name}").click()
    expect(page.get_by_label("Note, only for you")).to_have_value("folds")
    expect(page.get_by_role("radio", name="Blue")).to_be_checked()


def test_an_unread_note_is_not_written_over(visit: Visit, game: Game) -> None:
    page = _table(visit, game, 1)
    notes.write_note(game.user(1), game.user(2), text="folds", colour="blue")
    page.route("**/account/notes.json", lambda route: route.abort())
    page.get_by_role("button", name=f"Menu of {game.user(2).name}").click()
    expect(page.locator(".note-form .status")).to_contain_text("does not answer")
    expect(page.get_by_label("Note, only for you")).not_to_be_editable()
    expect(page.get_by_role("button", name="Save the note")).to_be_disabled()
    page.unroute("**/account/notes.json")
    page.keyboard.press("Escape")
    page.get_by_role("button", name=f"Menu of {game.user(2).name}").click()
    expect(page.get_by_label("Note, only for you")).to_have_value("folds")
    expect(page.get_by_label("Note, only for you")).to_be_editable()


def test_visitors_have_no_menu(visit: Visit, game: Game) -> None:
    page = _table(visit, game, None)
    assert page.locator(".seat-open:visible").count() == 0
