"""Language of an account: it follows its reader to other devices and into mails."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language

from accounts.models import User


def keep(user: User, language: str) -> None:
    """Store the language that an account's reader chose, if the room speaks it."""
    if language in dict(settings.LANGUAGES) and language != user.language:
        user.language = language
        user.save(update_fields=["language"])


def keep_first(user: User) -> None:
    """Store the language of the page at the first log-in of an account without one."""
    if not user.language:
        keep(user, get_language() or "")


def follow(request: HttpRequest, answer: HttpResponse, user: User) -> None:
    """Show a device on which no language was chosen that of the account from now on."""
    if user.language and settings.LANGUAGE_COOKIE_NAME not in request.COOKIES:
        answer.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            user.language,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            path=settings.LANGUAGE_COOKIE_PATH,
            domain=settings.LANGUAGE_COOKIE_DOMAIN,
            secure=settings.LANGUAGE_COOKIE_SECURE,
            httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
            samesite=settings.LANGUAGE_COOKIE_SAMESITE,
        )
