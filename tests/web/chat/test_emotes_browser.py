"""Emotes and steps of moderators in the panel of a table, in a real browser."""

from __future__ import annotations

import pytest
from django.conf import LazySettings
from playwright.sync_api import Page, expect

from tables.chat.models import ChatMessage, ChatSilence
from tests.tables.gateway.chat.chatting import chat_of, chatty, stored, writes
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.socket_table import Game, game
from tests.tournaments.club_scene import staff
from tests.web.visiting import DESK, PHONE, Visit, visit

__all__ = ["chatty", "game", "site", "visit"]

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")

LINES = ".chat-lines li"


def _table(visit: Visit, game: Game, seat: int, size: tuple[int, int] = DESK) -> Page:
    page = visit(game.user(seat), f"/tables/{game.row.pk}/", size)
    expect(page.locator(".chat-toggle")).to_be_visible()
    return page


def _emote(game: Game, seat: int, key: str) -> None:
    client = game.client(seat)
    client.say(type="chat_emote", id=f"{key}-{seat}", stream=chat_of(game), emote=key)
    client.expect("result", id=f"{key}-{seat}")


def test_an_emote_is_sent_by_key_and_shown_at_the_seat_with_its_name(
    visit: Visit, game: Game, chatty: LazySettings
) -> None:
    actor = game.actor
    page, other = _table(visit, game, actor), _table(visit, game, game.others[0], PHONE)
    expect(page.locator(".action-panel .verb").first).to_be_visible()
    page.keyboard.press("e")
    expect(page.get_by_role("button", name="Nice hand")).to_be_focused()
    page.keyboard.press("f")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="Well played")).to_be_focused()
    page.keyboard.press("4")
    expect(page.locator(f"{LINES}.own")).to_contain_text("Thanks")
    expect(page.locator(".emotes")).to_be_hidden()
    assert page.evaluate("document.activeElement === document.body"), "keys are the game's again"
    expect(other.locator(".seat > .emote")).to_have_count(1)
    expect(other.locator(".told")).to_contain_text(f"{game.user(actor).name}: Thanks")
    assert ChatMessage.objects.get().emote == "thanks"
    assert game.moves_waiting() == 0, "no key was one of the game"


def test_emotes_of_a_muted_player_and_switched_off_ones_are_not_shown(
    visit: Visit, game: Game, chatty: LazySettings
) -> None:
    page = _table(visit, game, 1)
    writes(game.client(2), chat_of(game), "hello")
    page.locator(".chat-name", has_text=game.user(2).name).click()
    page.get_by_role("button", name="Mute").click()
    _emote(game, 2, "wow")
    _emote(game, 3, "sorry")
    expect(page.locator(LINES)).to_have_count(1)
    expect(page.locator(".seat > .emote")).to_have_count(1)
    page.get_by_role("button", name="Emotes").click()
    page.get_by_label("Show emotes").uncheck()
    expect(page.locator(LINES)).to_have_count(0)
    expect(page.get_by_role("button", name="Nice hand")).to_be_hidden()
    page.reload()
    _emote(game, 3, "hello")
    writes(game.client(3), chat_of(game), "anybody?")
    expect(page.locator(LINES)).to_have_count(1)
    expect(page.locator(LINES)).to_contain_text("anybody?")
    assert page.locator(".seat > .emote").count() == 0


def test_a_moderator_deletes_and_silences_in_the_panel(
    visit: Visit, game: Game, chatty: LazySettings
) -> None:
    page = visit(staff("Moderator", "moderate_chat"), f"/tables/{game.row.pk}/")
    name = game.user(2).name
    writes(game.client(2), chat_of(game), "rude words")
    page.locator(".chat-name", has_text=name).click()
    page.get_by_role("button", name="Silence").click()
    dialog = page.get_by_role("dialog", name=f"Silence {name}")
    dialog.get_by_label("For").select_option(label="1 hour")
    dialog.get_by_label("Reason, which the player reads").fill("Insults")
    page.keyboard.press("Enter")
    expect(page.locator(".chat-status")).to_have_text(f"{name} is silenced.")
    silence = ChatSilence.objects.get()
    assert (silence.user, silence.reason) == (game.user(2), "Insults")
    page.locator(".chat-name", has_text=name).click()
    page.get_by_role("button", name="Delete").click()
    expect(page.locator(LINES)).to_have_count(0)
    assert stored() == ["rude words"], "kept for the record"


def test_players_are_offered_no_step_of_a_moderator(
    visit: Visit, game: Game, chatty: LazySettings
) -> None:
    page = _table(visit, game, 1)
    writes(game.client(2), chat_of(game), "hello")
    page.locator(".chat-name", has_text=game.user(2).name).click()
    expect(page.get_by_role("button", name="Report")).to_be_visible()
    assert page.locator(".chat-steps button").all_text_contents() == ["Mute", "Report"]
