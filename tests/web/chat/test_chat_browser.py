"""Chat in a real browser: writing and reading, keys, muting, and no overlap with the buttons."""

from __future__ import annotations

import pytest
from django.conf import LazySettings
from playwright.sync_api import Page, expect

from accounts.models import User
from tables.chat import moderation
from tables.chat.models import ChatMessage, ChatReport
from tests.tables.gateway.chat.chatting import chat_of, chatty, stored, writes
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.socket_table import Game, game
from tests.tables.gateway.sockets import wait_for
from tests.web.scenes import apart, boxes
from tests.web.visiting import DESK, PHONE, Visit, speak, visit

__all__ = ["chatty", "game", "site", "visit"]

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")

ASIDE = (844, 390)
LINES = ".chat-lines li"
_OWN = ".seat[data-me] :is(.hand .card, .pod)"


def _table(visit: Visit, game: Game, seat: int | None, size: tuple[int, int] = DESK) -> Page:
    user = None if seat is None else game.user(seat)
    page = visit(user, f"/tables/{game.row.pk}/", size)
    expect(page.locator(".chat-toggle")).to_be_visible()
    return page


def test_players_write_to_each_other_and_markup_is_text(
    visit: Visit, game: Game, chatty: LazySettings
) -> None:
    page = _table(visit, game, 1)
    other = game.client(2)
    writes(other, chat_of(game), "<img src=x onerror=alert(1)> <b>gg</b>")
    expect(page.locator(LINES)).to_contain_text("<img src=x onerror=alert(1)> <b>gg</b>")
    assert page.locator(f"{LINES} img").count() == 0
    expect(page.locator(".chat-lines")).to_have_attribute("aria-live", "polite")
    page.emulate_media(color_scheme="dark")
    send = page.locator(".chat-form .button")
    radius = send.evaluate("(button) => getComputedStyle(button).borderTopLeftRadius")
    expect(page.locator(".chat-box")).to_have_css("border-top-left-radius", radius)
    page.locator(".chat-box").fill("  thanks  ")
    page.keyboard.press("Enter")
    expect(page.locator(f"{LINES}.own")).to_contain_text("thanks")
    expect(page.locator(".chat-box")).to_have_value("")
    assert stored()[1] == "thanks"


def test_keys_belong_to_the_box_while_it_has_the_focus_and_to_the_game_after(
    visit: Visit, game: Game, chatty: LazySettings
) -> None:
    page = _table(visit, game, game.actor)
    expect(page.locator(".action-panel .verb").first).to_be_visible()
    page.keyboard.press("/")
    expect(page.locator(".chat-box")).to_be_focused()
    page.keyboard.type("fold? c r 1 t m")
    page.keyboard.press("Escape")
    expect(page.locator(".chat-box")).not_to_be_focused()
    assert game.moves_waiting() == 0
    page.keyboard.press("/")
    page.keyboard.press("Enter")
    expect(page.locator(f"{LINES}.own")).to_contain_text("fold? c r 1 t m")
    expect(page.locator(".chat-box")).not_to_be_focused()
    assert game.moves_waiting() == 0, "no key of the message was one of the game"
    page.keyboard.press("f")
    wait_for(lambda: game.moves_waiting() == 1)


def test_an_arriving_message_takes_no_focus(visit: Visit, game: Game, chatty: LazySettings) -> None:
    page = _table(visit, game, game.actor)
    other = game.client(game.others[0])
    writes(other, chat_of(game), "hello")
    expect(page.locator(LINES)).to_have_count(1)
    assert page.evaluate("document.activeElement === document.body")


def test_a_refused_message_is_explained_and_kept(
    visit: Visit, game: Game, chatty: LazySettings
) -> None:
    page = _table(visit, game, 1)
    page.locator(".chat-box").fill("look at example.com")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".chat-status")).to_have_text("Links are not allowed here.")
    expect(page.locator(".chat-box")).to_have_value("look at example.com")
    assert stored() == []


def test_a_player_is_muted_reported_and_heard_again(
    visit: Visit, game: Game, chatty: LazySettings
) -> None:
    page = _table(visit, game, 1)
    loud, name = game.client(2), game.user(2).name
    writes(loud, chat_of(game), "rude words")
    page.locator(".chat-name", has_text=name).click()
    page.get_by_role("button", name="Report").click()
    expect(page.locator(".chat-status")).to_contain_text("A moderator will look at it.")
    assert ChatReport.objects.get().by == game.user(1)
    page.locator(".chat-name", has_text=name).click()
    page.get_by_role("button", name="Mute").click()
    expect(page.locator(LINES)).to_have_count(0)
    writes(loud, chat_of(game), "more of them")
    writes(game.client(3), chat_of(game), "calm")
    expect(page.locator(LINES)).to_have_count(1)
    page.reload()
    expect(page.locator(LINES)).to_have_count(1)
    page.get_by_role("button", name=f"Hear {name} again").click()
    expect(page.locator(LINES)).to_have_count(3)


def test_a_player_muted_in_one_window_is_muted_in_the_others(
    visit: Visit, game: Game, chatty: LazySettings
) -> None:
    page = _table(visit, game, None)
    other = page.context.new_page()
    other.goto(page.url)
    writes(game.client(2), chat_of(game), "rude words")
    for one in (page, other):
        expect(one.locator(LINES)).to_have_count(1)
    name = game.user(2).name
    page.locator(".chat-name", has_text=name).click()
    page.get_by_role("button", name="Mute").click()
    expect(other.locator(LINES)).to_have_count(0)
    other.get_by_role("button", name=f"Hear {name} again").click()
    for one in (page, other):
        expect(one.locator(LINES)).to_have_count(1)


def test_muting_by_keyboard_is_read_out_and_keeps_the_focus_off_the_game(
    visit: Visit, game: Game, chatty: LazySettings
) -> None:
    page = _table(visit, game, game.actor)
    expect(page.locator(".action-panel .verb").first).to_be_visible()
    other = game.others[0]
    writes(game.client(other), chat_of(game), "rude words")
    name, status = page.locator(".chat-name"), page.locator(".chat-status[role=status]")
    for step, words in (("Report", "Reported."), ("Mute", f"{game.user(other).name} is muted.")):
        name.press("Enter")
        page.get_by_role("button", name=step, exact=True).press("Enter")
        expect(status).to_contain_text(words)
        if step == "Report":
            expect(name).to_be_focused()
    expect(page.get_by_role("button", name="Hear")).to_be_focused()
    page.keyboard.press("Enter")
    expect(status).to_have_text(f"{game.user(other).name} is heard again.")
    expect(name).to_be_focused()
    assert game.moves_waiting() == 0


def test_a_message_that_was_not_sent_says_so_and_is_kept(
    visit: Visit, game: Game, chatty: LazySettings
) -> None:
    page = _table(visit, game, 1)
    page.evaluate(
        "async () => { const { line } = await import('/static/js/shared/socket.js');"
        " line().ended = true; line().socket.close(); }"
    )
    expect(page.locator("#line-banner[data-kind=stopped]")).to_be_visible()
    page.locator(".chat-box").fill("anybody?")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".chat-status")).to_have_text(
        "The connection is interrupted; nothing was sent."
    )
    expect(page.locator(".chat-box")).to_have_value("anybody?")


def test_a_deleted_message_leaves_the_page(visit: Visit, game: Game, chatty: LazySettings) -> None:
    page = _table(visit, game, 1)
    writes(game.client(2), chat_of(game), "rude words")
    expect(page.locator(LINES)).to_have_count(1)
    moderator = User.objects.create_superuser("Moderator", password=None)
    moderation.delete_message(ChatMessage.objects.get().pk, moderator)
    expect(page.locator(LINES)).to_have_count(0)


def test_chat_is_turned_off_and_on_by_the_reader(
    visit: Visit, game: Game, chatty: LazySettings
) -> None:
    page = _table(visit, game, 1)
    page.get_by_role("button", name="Turn off").click()
    toggle = page.locator(".chat-toggle")
    expect(toggle).to_have_text("Chat off")
    page.reload()
    expect(toggle).to_have_text("Chat off")
    expect(page.locator(".chat")).to_be_hidden()
    writes(game.client(2), chat_of(game), "anybody?")
    toggle.click()
    expect(page.locator(LINES)).to_have_count(1)


def test_a_visitor_reads_and_cannot_write(visit: Visit, game: Game, chatty: LazySettings) -> None:
    page = _table(visit, game, None)
    writes(game.client(2), chat_of(game), "hello")
    expect(page.locator(LINES)).to_have_count(1)
    assert page.locator(".chat-form").is_hidden()
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement === document.body")


def test_spectators_choose_between_two_chats(
    visit: Visit, game: Game, chatty: LazySettings
) -> None:
    chatty.CHAT_SPECTATORS = True
    fan = User.objects.create_user("Fan", password=None)
    page = visit(fan, f"/tables/{game.row.pk}/")
    writes(game.client(2), chat_of(game), "hello")
    expect(page.locator(LINES)).to_have_count(1)
    page.get_by_role("button", name="Spectators").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Spectators")).to_be_focused()
    expect(page.locator(LINES)).to_have_count(0)
    page.locator(".chat-box").fill("go on")
    page.keyboard.press("Enter")
    expect(page.locator(f"{LINES}.own")).to_contain_text("go on")
    player = _table(visit, game, 1)
    expect(player.locator(LINES)).to_have_count(1)
    expect(player.locator(LINES)).to_contain_text("hello")
    assert player.get_by_role("button", name="Spectators").count() == 0


def test_a_room_without_chat_has_no_panel(visit: Visit, game: Game, chatty: LazySettings) -> None:
    chatty.CHAT = False
    page = visit(game.user(1), f"/tables/{game.row.pk}/")
    expect(page.locator(".pod").first).to_be_visible()
    assert page.locator(".chat, .chat-toggle").count() == 0


def test_the_chat_of_a_phone_makes_way_for_the_own_turn(
    visit: Visit, game: Game, chatty: LazySettings
) -> None:
    seat = game.others[0]
    page = _table(visit, game, seat, PHONE)
    page.locator(".chat-toggle").click()
    expect(page.locator(".chat")).to_be_visible()
    while game.actor != seat:
        player = game.client(game.actor)
        player.say(**game.command("call"))
        game.work()
    expect(page.locator(".chat")).to_be_hidden()
    expect(page.locator(".action-panel .verb").first).to_be_visible()


def test_the_chat_of_a_phone_makes_way_for_what_the_room_says(
    visit: Visit, game: Game, chatty: LazySettings
) -> None:
    page = _table(visit, game, 1, PHONE)
    page.locator(".chat-toggle").click()
    expect(page.locator(".chat")).to_be_visible()
    game.client(1)  # another window takes the table over
    expect(page.locator(".notice")).to_contain_text("You play this table in another window.")
    expect(page.locator(".chat")).to_be_hidden()


def test_the_chat_of_a_phone_is_closed_and_counts_unread_messages(
    visit: Visit, game: Game, chatty: LazySettings
) -> None:
    page = _table(visit, game, 1, PHONE)
    expect(page.locator(".chat")).to_be_hidden()
    other = game.client(2)
    for text in ("one", "two"):
        writes(other, chat_of(game), text)
    toggle = page.locator(".chat-toggle")
    expect(toggle).to_have_text("Chat (2)")
    expect(toggle).to_have_attribute("aria-label", "Chat, 2 new messages")
    toggle.click()
    expect(page.locator(LINES)).to_have_count(2)
    expect(toggle).to_have_text("Chat")


def test_the_chat_lies_on_no_button(visit: Visit, game: Game, chatty: LazySettings) -> None:
    page = _table(visit, game, game.actor, DESK)
    for number in range(12):
        writes(game.client(game.others[0]), chat_of(game), f"{number} " + "word " * 38)
    for language in ("de", "en"):
        page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
        speak(page, language)
        for width, height in (DESK, PHONE, ASIDE):
            page.set_viewport_size({"width": width, "height": height})
            page.reload()
            expect(page.locator(".action-panel .verb").first).to_be_visible()
            expect(page.locator(LINES)).to_have_count(12)
            _lies_on_no_button(page, width, height)


def test_the_chat_over_a_table_leaves_the_own_cards_in_sight(
    visit: Visit, game: Game, chatty: LazySettings
) -> None:
    page = _table(visit, game, game.others[0], ASIDE)
    for number in range(12):
        writes(game.client(game.others[1]), chat_of(game), f"{number} " + "word " * 38)
    page.locator(".chat-toggle").click()
    expect(page.locator(LINES)).to_have_count(12)
    asides = (ASIDE, (667, 375), (640, 400), (932, 430))
    for width, height in (
        *asides,
        PHONE,
        (412, 915),
        (360, 640),
        (320, 640),
        (390, 500),
        (768, 1024),
    ):
        page.set_viewport_size({"width": width, "height": height})
        [chat], own = boxes(page, ".chat"), boxes(page, _OWN)
        assert len(own) == 3 and all(apart(chat, card) for card in own), (width, height)
        [lines], [box] = boxes(page, ".chat-lines"), boxes(page, ".chat-box")
        assert lines["height"] >= 36, (width, height)
        assert box["y"] + box["height"] <= chat["y"] + chat["height"] + 1


def test_an_empty_chat_says_so_until_somebody_writes(
    visit: Visit, game: Game, chatty: LazySettings
) -> None:
    page, empty = _table(visit, game, 1), ".chat-empty"
    expect(page.locator(empty)).to_be_visible()
    speak(page, "de")
    expect(page.locator(empty)).to_have_text("Noch hat niemand geschrieben.")
    writes(game.client(2), chat_of(game), "hello")
    expect(page.locator(LINES)).to_have_count(1)
    expect(page.locator(empty)).to_be_hidden()


def _lies_on_no_button(page: Page, width: int, height: int) -> None:
    """Look at the chat, closed and open, beside the buttons of the table."""
    toggle = page.locator(".chat-toggle")
    tools = [box["y"] for box in boxes(page, ".tools > :not(.log-last, .chat-toggle)")]
    assert max(tools) - min(tools) < 20, "the tools keep to one line"
    for is_open in (False, True):
        if (toggle.get_attribute("aria-expanded") == "true") != is_open:
            toggle.click()
        chat = boxes(page, ".chat")
        assert len(chat) == is_open
        buttons = boxes(page, ".action-panel :is(button, input), .tools > *")
        assert len(buttons) >= 6
        for box in [*buttons, *chat]:
            assert box["x"] >= -1 and box["x"] + box["width"] <= width + 1, box
            assert box["y"] >= -1 and box["y"] + box["height"] <= height + 1, box
        for box in chat:
            assert all(apart(box, button) for button in buttons)
        for at, box in enumerate(buttons):
            assert all(apart(box, other) for other in buttons[at + 1 :]), (width, is_open)
