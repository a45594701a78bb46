"""Tokens and keys of calendars outlive a rotation of the room's secret key."""

from __future__ import annotations

import pytest
from pytest_django.fixtures import Settings

from accounts.models import User
from accounts.users import access_tokens, calendar_keys
from accounts.users.access_tokens import InvalidToken

pytestmark = pytest.mark.django_db


@pytest.fixture
def user() -> User:
    """A user with a password."""
    return User.objects.create_user("Uwe", "a long password")


def test_a_token_counts_on_under_a_former_key_and_ends_with_it(
    user: User, settings: Settings
) -> None:
    settings.SECRET_KEY = "the key before"
    text = access_tokens.issue(user, name="bot", scopes=["watch"], days=1)
    digest = access_tokens.digest_of(text)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "the key now", ["the key before"]
    assert access_tokens.valid_token(text).user == user
    assert [token.digest for token in access_tokens.still_valid([digest])] == [digest]
    assert access_tokens.valid_tokens(user).count() == 1
    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(InvalidToken):
        access_tokens.valid_token(text)
    assert access_tokens.still_valid([digest]) == []
    assert access_tokens.valid_tokens(user).count() == 0


def test_a_token_under_a_former_key_ends_with_the_password(user: User, settings: Settings) -> None:
    settings.SECRET_KEY = "the key before"
    text = access_tokens.issue(user, name="bot", scopes=["watch"], days=1)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "the key now", ["the key before"]
    user.set_password("another long password")
    user.save()
    with pytest.raises(InvalidToken):
        access_tokens.valid_token(text)


def test_a_key_of_a_calendar_counts_on_under_a_former_key_and_ends_with_it(
    user: User, settings: Settings
) -> None:
    settings.SECRET_KEY = "the key before"
    key = calendar_keys.key_of(user)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "the key now", ["the key before"]
    assert calendar_keys.user_of(key) == user
    settings.SECRET_KEY_FALLBACKS = []
    assert calendar_keys.user_of(key) is None
