"""Language of a client that is answered before Django or beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http.cookie import parse_cookie
from django.utils import translation
from django.utils.translation.trans_real import parse_accept_lang_header


def cookies_of(scope: Mapping[str, Any]) -> dict[str, str]:
    """Return the cookies of an ASGI scope."""
    raw = b"; ".join(value for name, value in scope["headers"] if name == b"cookie")
    return parse_cookie(raw.decode("latin-1"))


def language_of(scope: Mapping[str, Any], cookies: Mapping[str, str], account: str = "") -> str:
    """Return the first supported language of: cookie, account, browser, default."""
    accepted = dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1").lower()
    wishes = [cookies.get(settings.LANGUAGE_COOKIE_NAME, ""), account]
    wishes += [code for code, _ in parse_accept_lang_header(accepted)]
    for wish in filter(None, wishes):
        try:
            return translation.get_supported_language_variant(wish)
        except LookupError:
            continue
    return str(settings.LANGUAGE_CODE)
