"""Switch of the language, on every page."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.views.i18n import set_language

from accounts.logins import languages


def switch(request: HttpRequest) -> HttpResponseBase:
    """Switch the language of this device, and of the account that is logged in."""
    answer = set_language(request)
    chosen = answer.cookies.get(settings.LANGUAGE_COOKIE_NAME)
    if chosen is not None and request.user.is_authenticated:
        languages.keep(request.user, chosen.value)
    return answer
