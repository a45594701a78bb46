"""Bots by the thousand: real users, real money, real sessions, no password."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.test import Client, RequestFactory

from accounts.ledger import transfers
from accounts.ledger.proof import balance_proof
from accounts.logins import minting
from accounts.models import Transfer, User
from accounts.users import bots
from accounts.users.signup import sign_up
from config import limits

pytestmark = pytest.mark.django_db


@pytest.mark.rule("A-01")
def test_bots_have_names_money_and_no_password() -> None:
    made = bots.create(12)
    assert len({bot.name for bot in made}) == 12
    assert all(bot.is_bot and not bot.has_usable_password() for bot in made)
    assert {transfers.balance(transfers.account("player", user=bot)) for bot in made} == {
        limits.PLAY_MONEY_WELCOME_CENTS
    }
    assert balance_proof().holds


def test_bots_asked_for_again_are_the_same_and_are_not_paid_twice() -> None:
    first = bots.create(5)
    again = bots.create(8)
    assert again[:5] == first
    assert bots.create(5) == first
    assert User.objects.filter(is_bot=True).count() == 8
    assert Transfer.objects.filter(kind="welcome").count() == 8


def test_a_banned_bot_is_replaced_and_a_taken_number_passed_over() -> None:
    first, second = bots.create(2)
    User.objects.filter(pk=first.pk).update(is_active=False)
    User.objects.create_user(name="BOT-0003")
    made = bots.create(2)
    assert made[0] == second
    assert made[1].name == "bot-0004"


def test_three_thousand_bots_get_money_and_sessions_at_once() -> None:
    made = bots.create(3_000)
    minted = minting.mint(made, hours=12)
    assert len({key for _bot, key in minted}) == 3_000
    assert balance_proof().holds


def _visitor(key: str) -> User | AnonymousUser:
    """Return the user Django sees in a request with that session cookie."""
    request = RequestFactory().get("/")
    request.session = SessionStore(key)
    return get_user(request)


def test_a_minted_session_is_a_log_in(client: Client) -> None:
    user = sign_up("Ada", "three blind mice")
    ((of, key),) = minting.mint([user], hours=1)
    assert of == user
    assert _visitor(key) == user
    User.objects.filter(pk=user.pk).update(is_staff=True, is_superuser=True)
    client.cookies[settings.SESSION_COOKIE_NAME] = key
    assert client.get("/admin/").status_code == 200


def test_a_minted_session_ends_with_its_time_a_ban_and_a_new_password() -> None:
    users = [User.objects.create_user(name=name) for name in ("Ada", "Ben", "Cleo", "Dora")]
    keys = dict(minting.mint(users, hours=0.5))
    late, banned, renewed, good = users
    ends = Session.objects.get(session_key=keys[late])
    Session.objects.filter(pk=ends.pk).update(expire_date=ends.expire_date - timedelta(hours=0.5))
    User.objects.filter(pk=banned.pk).update(is_active=False)
    renewed.set_password("three blind mice")
    renewed.save()
    seen = [_visitor(keys[user]) for user in users]
    assert [bool(visitor.is_authenticated) for visitor in seen] == [False, False, False, True]
    assert seen[3] == good


def test_a_session_lasts_as_long_as_it_was_minted_for_even_when_it_is_used() -> None:
    (user,) = bots.create(1)
    ((_user, key),) = minting.mint([user], hours=3)
    before = Session.objects.get(session_key=key).expire_date
    store = SessionStore(key)
    store["seen"] = True
    store.save()
    assert Session.objects.get(session_key=key).expire_date == before


def test_a_banned_user_gets_no_session_and_no_session_is_for_ever() -> None:
    (bot,) = bots.create(1)
    with pytest.raises(AssertionError, match="lasts"):
        minting.mint([bot], hours=0)
    bot.is_active = False
    with pytest.raises(AssertionError, match="banned"):
        minting.mint([bot], hours=1)
    assert not Session.objects.exists()
