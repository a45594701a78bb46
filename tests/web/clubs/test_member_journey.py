"""A member's journey: invited, playing for the season, coming back without a password, leaving."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pyotp
import pytest
from django.conf import LazySettings
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.fixtures import Settings
from redis import Redis

from accounts.clubs import invitations
from accounts.mail import outgoing
from accounts.models import Membership, User
from accounts.users import bots
from tests.accounts.mail.mail_sink import MailSink, room_mail_sink
from tests.tables.gateway.chat.chatting import chatty, writes
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import ORIGIN, Site
from tests.tournaments.cast import open_offer
from tests.tournaments.club_scene import make_club, person
from tests.tournaments.seasons.cast import season
from tests.web.account.virtual_authenticator import authenticator
from tests.web.played import PlayedTournament
from tests.web.visiting import PHONE, Visit, visit
from tournaments.entries import registration
from tournaments.models import Entry, Tournament
from tournaments.running import operations
from tournaments.seasons.tables import forget_tables

__all__ = ["chatty", "site", "visit"]

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")

FIRST, SECOND = "a long password", "quite another password"


@pytest.fixture
def sink(room: Redis, settings: Settings) -> Iterator[MailSink]:
    with room_mail_sink(settings) as listening:
        yield listening


def test_from_the_invitation_to_the_deletion(
    site: Site, visit: Visit, room: Redis, sink: MailSink, chatty: LazySettings
) -> None:
    random.seed(7)
    forget_tables()
    club = make_club()
    autumn = season(club, audience="members")
    _link, token = invitations.make_link(club, person("Olga"), uses=1, days=7)
    [bot] = bots.create(1)
    Membership.objects.create(club=club, user=bot)
    made = open_offer(name="Friday", club=club, buy_in=0, fee=0, players_max=2)
    Tournament.objects.filter(pk=made.pk).update(watched_by="members", entered_by="members")

    page = visit(None, f"/clubs/join/{token}/", PHONE)
    authenticator(page)
    _join(page)
    mia = User.objects.get(name="Mia")
    _confirm_address(page, sink)
    _register(page, made)
    registration.register(bot, Tournament.objects.get(pk=made.pk))
    operations.start(made.pk)
    _play_to_the_end(page, PlayedTournament(room, made), mia)
    place = Entry.objects.get(tournament=made, user=mia).place
    assert place in (1, 2)

    olga, chat = site.client(person("Olga")), f"clubchat:{club.pk}"
    olga.follow(chat)
    writes(olga, chat, "Good game")
    page.goto(f"{ORIGIN}/clubs/{club.slug}/")
    expect(page.locator(".chat-lines")).to_contain_text("Good game")
    page.locator(".chat-box").fill("Well played")
    page.keyboard.press("Enter")
    expect(page.locator(".chat-lines .own")).to_contain_text("Well played")
    forget_tables()
    page.get_by_role("link", name=autumn.name).click()
    row = page.locator("table.season-table tr").filter(has_text="Mia")
    expect(row.locator(".points")).to_contain_text(str(3 - place))

    _reset_the_password(page, sink)
    recovery = _switch_codes_on(page, mia)
    _log_out(page)
    _log_in(page, SECOND)
    page.get_by_label("Code").fill(recovery)
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    expect(page.locator(".who.name")).to_have_text("Mia")
    _add_a_passkey(page)
    _log_out(page)
    page.goto(f"{ORIGIN}/accounts/login/")
    page.get_by_role("button", name="Log in with a passkey").click()
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.locator(".who.name")).to_have_text("Mia")
    _delete(page, mia)
    assert Entry.objects.get(tournament=made, user=mia).place == place
    assert not club.memberships.filter(user=mia).exists()


def _link_in(sink: MailSink) -> str:
    """Deliver the mails on their way; return the address in the last one."""
    while outgoing.deliver_next():
        pass
    found = re.search(r"https?://[^/]+(/\S+)", str(sink.mails[-1].get_content()))
    assert found is not None
    return f"{ORIGIN}{found[1]}"


def _join(page: Page) -> None:
    page.get_by_role("main").get_by_role("link", name="Sign up").click()
    page.get_by_label("Name").fill("Mia")
    page.get_by_label("Password").fill(FIRST)
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    page.get_by_role("button", name="Join the club").click()
    expect(page.locator(".messages")).to_contain_text("Welcome to River Rats.")


def _confirm_address(page: Page, sink: MailSink) -> None:
    page.get_by_role("link", name="Mia").click()
    page.get_by_role("link", name="E-mail addresses").click()
    page.get_by_label("E-mail address").fill("mia@example.org")
    page.get_by_role("button", name="Send a mail to confirm it").click()
    expect(page.locator(".messages")).to_contain_text("is on its way")
    expect(page.locator("#emails .badge")).to_have_text("waits for confirmation")
    page.goto(_link_in(sink))
    page.get_by_role("main").get_by_role("button").click()
    expect(page.locator("#emails .badge").first).to_have_text("primary")


def _register(page: Page, made: Tournament) -> None:
    page.goto(f"{ORIGIN}/tournaments/{made.pk}/")
    page.get_by_role("main").get_by_role("link", name="Register").click()
    page.locator("dialog").get_by_role("button", name="Register").click()
    expect(page.locator("main")).to_contain_text("I'm in")


def _play_to_the_end(page: Page, played: PlayedTournament, mia: User) -> None:
    """Go all-in at each turn until the tournament is over; its table opens by itself."""
    page.wait_for_url(re.compile(r"/tables/\d+/"))
    while played.until_turn(lambda asked: asked == mia.pk):
        verb = page.locator(".action-panel .verb").last
        expect(verb).to_be_visible()
        page.locator(".preset:visible").last.click()
        verb.click()
        played.take_act(mia)
    expect(page.locator(".end-screen")).to_be_visible()


def _log_out(page: Page) -> None:
    page.goto(f"{ORIGIN}/account/")
    page.get_by_role("main").get_by_role("button", name="Log out").click()
    expect(page.get_by_role("link", name="Log in")).to_be_visible()


def _log_in(page: Page, password: str) -> None:
    page.goto(f"{ORIGIN}/accounts/login/")
    page.get_by_label("Name").fill("Mia")
    page.get_by_label("Password").fill(password)
    page.get_by_role("main").get_by_role("button", name="Log in", exact=True).click()


def _reset_the_password(page: Page, sink: MailSink) -> None:
    _log_out(page)
    page.goto(f"{ORIGIN}/accounts/login/")
    page.get_by_role("link", name="Forgotten the password?").click()
    page.get_by_role("main").locator("input[type=text]").fill("Mia")
    page.get_by_role("button", name="Send the link").click()
    expect(page.locator(".messages")).to_contain_text("a mail with a link is on its way")
    page.goto(_link_in(sink))
    for field in page.locator("input[type=password]").all():
        field.fill(SECOND)
    page.get_by_role("button", name="Set the password").click()
    expect(page.locator(".messages")).to_be_visible()
    _log_in(page, FIRST)
    expect(page.get_by_role("alert")).to_be_visible()
    _log_in(page, SECOND)
    expect(page.locator(".who.name")).to_have_text("Mia")


def _switch_codes_on(page: Page, mia: User) -> str:
    """Set TOTP; return one of the recovery codes."""
    page.goto(f"{ORIGIN}/account/code/")
    if page.get_by_label("Password").count():
        page.get_by_label("Password").fill(SECOND)
        page.get_by_role("main").get_by_role("button").click()
    secret = page.locator("#secret").inner_text()
    code = pyotp.TOTP(secret).at(int(timezone.now().timestamp()))
    page.get_by_label("Code").fill(code)
    page.get_by_role("button", name="Switch on").click()
    expect(page.locator("#recovery li").first).to_be_visible()
    return page.locator("#recovery code").first.inner_text()


def _add_a_passkey(page: Page) -> None:
    page.goto(f"{ORIGIN}/account/passkeys/")
    page.get_by_label("Name").fill("My phone")
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.locator(".messages")).to_contain_text("The passkey is added")


def _delete(page: Page, mia: User) -> None:
    page.goto(f"{ORIGIN}/account/")
    page.get_by_role("link", name="Delete my account").click()
    page.get_by_label("Password").fill(SECOND)
    page.get_by_role("button", name="Delete my account for good").click()
    expect(page.locator(".messages")).to_contain_text(f"It is now deleted-{mia.pk}.")
    assert not User.objects.filter(name="Mia").exists()
