"""Sign-up: rules for names and passwords, and the first play money."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from accounts.models import RetiredName, User
from accounts.names import (
    BOT_PREFIX,
    DELETED_PREFIX,
    allowed,
    fold,
    is_of_bot,
    long_enough,
    normal,
)
from accounts.refusals import SignUpRefused
from accounts.research.mark import validate_person
from accounts.research.refusals import NoPeople
from accounts.users import newcomers
from accounts.users.welcome import open_account, welcome
from config import limits
from config.refusals import marked as _


def sign_up(name: str, password: str | None, language: str = "", source: str | None = None) -> User:
    """Create a player with play money in the account; raise SignUpRefused when a rule forbids it.

    Without a password another way in is the caller's business. `source` is the address of the
    request; only a limited number of its newcomers get the money per day.
    """
    check_room()
    name = normal(name)
    check_name(name)
    if password is not None:
        check_password(password, name=name)
    check_language(language)
    hashed = make_password(password)
    try:
        with transaction.atomic():
            user = User.objects.create(name=name, password=hashed, language=language)
            if source is None or newcomers.take(source):
                welcome(user)
            else:
                open_account(user)
    except IntegrityError as error:
        if _is_taken(name):
            raise name_taken() from error
        raise
    return user


def check_room() -> None:
    """Refuse every new person in a research room."""
    try:
        validate_person(is_bot=False)
    except NoPeople as refusal:
        raise SignUpRefused(refusal.code, "", refusal.sentence) from refusal


def check_name(name: str) -> None:
    """Refuse a name of wrong length or characters, one reserved for bots, and one that is taken."""
    if not long_enough(name):
        raise _wrong_length(limits.NAME_MIN_CHARACTERS, limits.NAME_MAX_CHARACTERS)
    _check_characters(name)
    if is_of_bot(name):
        raise SignUpRefused("name_reserved", "name", _("This name is kept for bots."))
    if fold(name).startswith(DELETED_PREFIX):
        raise SignUpRefused("name_reserved", "name", _("This name is kept for deleted accounts."))
    _check_free(name)


def check_bot_name(name: str) -> None:
    """Refuse a bot's name, given without its prefix: its length, its characters, one taken."""
    most = limits.NAME_MAX_CHARACTERS - len(BOT_PREFIX)
    if not 1 <= len(name) <= most:
        raise _wrong_length(1, most)
    _check_characters(name)
    _check_free(BOT_PREFIX + name)


def _wrong_length(least: int, most: int) -> SignUpRefused:
    words = _("A name has %(least)d to %(most)d characters.")
    return SignUpRefused("name_length", "name", words, least=least, most=most)


def _check_characters(name: str) -> None:
    if not allowed(name):
        words = _("A name is made of letters and digits, with single dots or dashes in between.")
        raise SignUpRefused("name_characters", "name", words)


def check_password(password: str, *, name: str) -> None:
    """Refuse a password that is too long to hash, too short, common, or like the name."""
    if len(password) > limits.PASSWORD_MAX_CHARACTERS:
        raise SignUpRefused(
            "password_length",
            "password",
            _("A password has at most %(most)d characters."),
            most=limits.PASSWORD_MAX_CHARACTERS,
        )
    try:
        validate_password(password, User(name=name))
    except ValidationError as error:
        raise SignUpRefused("password_weak", "password", " ".join(error.messages)) from error


def check_language(language: str) -> None:
    """Refuse a language without catalog; empty follows the browser."""
    if language and language not in dict(settings.LANGUAGES):
        raise SignUpRefused(
            "language_unknown", "language", _("The room does not speak this language.")
        )


def _check_free(name: str) -> None:
    """Refuse a name that is taken, and one that others would read as that of a user."""
    if _is_taken(name):
        raise name_taken()
    if User.objects.alike(name).exists():
        words = _("This name looks like that of another player.")
        raise SignUpRefused("name_alike", "name", words)


def _is_taken(name: str) -> bool:
    """Return whether a user has the name, or a deleted account had it."""
    return User.objects.filter(name_key=fold(name)).exists() or RetiredName.holds(name)


def name_taken() -> SignUpRefused:
    """Return the refusal of a name that somebody has or had."""
    return SignUpRefused("name_taken", "name", _("This name is taken."))
