"""Bots of a user: made, given a token, retired; limits, other people's bots, and banned owners."""

from __future__ import annotations

import io
import zipfile
from urllib.parse import urlencode

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from accounts.bots import owning
from accounts.bots.models import BotAccount
from accounts.bots.refusals import BotsOwnNoBots, NoSuchBot, TooManyBots
from accounts.deletion import deleting
from accounts.ledger.transfers import held_by
from accounts.logins import minting
from accounts.models import AccessToken, User
from accounts.refusals import SignUpRefused
from accounts.users import access_tokens, account_export
from accounts.users.access_tokens import InvalidToken
from config import limits

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("room")]

PAGE = "/account/bots/"


@pytest.fixture
def ann() -> User:
    return User.objects.create_user("Ann")


@pytest.fixture
def page(ann: User, client: Client) -> Client:
    client.force_login(ann)
    return client


def test_a_bot_is_made_named_and_given_play_money(ann: User) -> None:
    bot = owning.make(ann, "Deep")
    assert (bot.name, bot.is_bot, bot.has_usable_password()) == ("bot-Deep", True, False)
    assert held_by(bot) == limits.PLAY_MONEY_WELCOME_CENTS
    assert [row.user for row in owning.bots_of(ann)] == [bot]


def test_a_token_plays_until_the_next_one_or_the_end_of_the_bot(ann: User) -> None:
    bot = owning.make(ann, "Deep")
    first = owning.issue_token(ann, bot.pk, 90)
    token = access_tokens.valid_token(first)
    assert token.user == bot and {"play", "hands:own"} <= set(token.scopes)
    second = owning.issue_token(ann, bot.pk, 90)
    with pytest.raises(InvalidToken):
        access_tokens.valid_token(first)
    owning.retire(ann, bot.pk)
    with pytest.raises(InvalidToken):
        access_tokens.valid_token(second)
    assert not owning.bots_of(ann).exists() and BotAccount.objects.get().retired_at is not None


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "name_length"),
        ("x" * limits.NAME_MAX_CHARACTERS, "name_length"),
        ("a b", "name_characters"),
        ("a--b", "name_characters"),
        ("dEEP", "name_taken"),
    ],
)
def test_a_wrong_name_changes_nothing(ann: User, name: str, code: str) -> None:
    owning.make(ann, "Deep")
    with pytest.raises(SignUpRefused) as refused:
        owning.make(ann, name)
    assert refused.value.code == code
    assert BotAccount.objects.count() == 1 and User.objects.count() == 2


def test_limits_and_other_peoples_bots(ann: User) -> None:
    bots = [owning.make(ann, f"Deep{n}") for n in range(limits.BOTS_PER_USER_MAX)]
    with pytest.raises(TooManyBots):
        owning.make(ann, "More")
    with pytest.raises(BotsOwnNoBots):
        owning.make(bots[0], "Child")
    bob = User.objects.create_user("Bob")
    for step in (owning.retire, lambda owner, bot: owning.issue_token(owner, bot, 1)):
        for owner, bot in ((bob, bots[0].pk), (ann, ann.pk), (ann, 2**40)):
            with pytest.raises(NoSuchBot):
                step(owner, bot)
    assert not AccessToken.objects.exists()
    owning.retire(ann, bots[0].pk)
    assert owning.make(ann, "More").name == "bot-More"


def test_a_changed_password_of_the_owner_ends_the_tokens_of_the_bots(
    ann: User, settings: Settings
) -> None:
    text = owning.issue_token(ann, owning.make(ann, "Deep").pk, 90)
    key = settings.SECRET_KEY
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "a newer key of the room", [key]
    assert access_tokens.valid_token(text), "a key of before goes on"
    ann.set_password("another long password")
    ann.save()
    with pytest.raises(InvalidToken):
        access_tokens.valid_token(text)
    assert access_tokens.still_valid([access_tokens.digest_of(text)]) == []


def test_a_token_from_before_marks_were_of_the_owner_lasts_until_it_expires(ann: User) -> None:
    bot = owning.make(ann, "Deep")
    text = owning.issue_token(ann, bot.pk, 90)
    mark = access_tokens._of_hash(bot.get_session_auth_hash())
    AccessToken.objects.update(mark=mark)
    assert access_tokens.valid_token(text).user == bot


def test_bots_of_a_banned_or_deleted_owner_play_no_more(ann: User) -> None:
    bot = owning.make(ann, "Deep")
    text = owning.issue_token(ann, bot.pk, 90)
    User.objects.filter(pk=ann.pk).update(is_active=False)
    with pytest.raises(InvalidToken):
        access_tokens.valid_token(text)
    User.objects.filter(pk=ann.pk).update(is_active=True)
    assert access_tokens.valid_token(text).user == bot
    packed = zipfile.ZipFile(io.BytesIO(account_export.zipped(ann)))
    assert "bot-Deep" in packed.read("bots.csv").decode()
    deleting.delete(User.objects.get(pk=ann.pk))
    with pytest.raises(InvalidToken):
        access_tokens.valid_token(text)
    bot.refresh_from_db()
    assert bot.name == "bot-Deep" and not owning.bots_of(ann).exists()


def test_the_page_makes_shows_a_token_once_and_retires(page: Client, ann: User) -> None:
    assert "no bots" in page.get(PAGE).content.decode()
    made = page.post(PAGE, {"name": "Deep"}, follow=True).content.decode()
    assert "bot-Deep is ready" in made
    bot = BotAccount.objects.get()
    shown = page.post(f"{PAGE}{bot.pk}/token/").content.decode()
    assert 'aria-label="Retire: bot-Deep"' in shown
    text = shown.partition('id="token">')[2].partition("<")[0]
    assert access_tokens.valid_token(text).user_id == bot.pk
    assert text not in page.get(PAGE).content.decode()
    gone = page.post(f"{PAGE}{bot.pk}/retire/", follow=True).content.decode()
    assert "bot-Deep is retired" in gone
    again = page.post(f"{PAGE}{bot.pk}/token/", follow=True).content.decode()
    assert "no such bot" in again


def test_a_password_asked_for_again_leads_back_to_the_bots(page: Client, ann: User) -> None:
    bot = owning.make(ann, "Deep")
    session = page.session
    session[minting.CONFIRMED_AT] -= 3600
    session.save()
    for step in ("token", "retire"):
        asked = page.post(f"{PAGE}{bot.pk}/{step}/")
        assert asked.headers["Location"] == f"/account/confirm/?{urlencode({'next': PAGE})}"
    assert owning.bots_of(ann).exists() and not AccessToken.objects.exists()


def test_a_refused_form_says_why(page: Client, ann: User) -> None:
    for name, words in (("a b", "letters and digits"), ("", "required")):
        answer = page.post(PAGE, {"name": name})
        assert answer.status_code == 400 and words in answer.content.decode()
    assert not BotAccount.objects.exists()
    assert page.get(f"{PAGE}1/token/").headers["Location"] == PAGE
    assert Client().get(PAGE).status_code == 302
