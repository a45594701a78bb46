"""Answers to HTTP requests that never reach Django: too large, too slow, too many."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from html import escape
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils import translation
from django.utils.translation import gettext, gettext_lazy, ngettext

from config import limits
from config.door.language import cookies_of, language_of

Scope = Mapping[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

API = "/api/"
"""Prefix of the addresses that answer programs."""

SENTENCES = {
    "body_too_large": gettext_lazy("This is more than the room takes in one request."),
    "body_too_slow": gettext_lazy("The request did not arrive in time. Please try again."),
    "too_often": gettext_lazy("Too many attempts in a short time."),
    "busy": gettext_lazy("The room has very many visitors. Please try again in a few seconds."),
}


class RequestRefused(Exception):
    """Request that is answered at the front door."""

    def __init__(self, status: HTTPStatus, code: str, *, retry_s: int | None = None) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.retry_s = retry_s


def busy() -> RequestRefused:
    """Return the refusal of a request that the process has no room for now: 503."""
    return RequestRefused(HTTPStatus.SERVICE_UNAVAILABLE, "busy", retry_s=limits.BUSY_RETRY_S)


async def answer(
    scope: Scope, send: Send, refusal: RequestRefused, *, more_body: bool = False
) -> None:
    """Send the refusal in the client's language, as the client reads it.

    With `more_body` unread parts of the request may follow: the connection is closed after it. A
    connection whose request was read is kept: a new one costs more than the refusal.
    """
    language = language_of(scope, cookies_of(scope))
    with translation.override(language):
        sentence = str(SENTENCES[refusal.code])
        if refusal.code == "too_often" and refusal.retry_s is not None:
            sentence = f"{sentence} {_try_again(refusal.retry_s)}"
        accepted = dict(scope["headers"]).get(b"accept", b"").decode("latin1")
        kind, body = _written(
            scope["path"],
            accepted,
            refusal,
            sentence,
            again_s=refusal.retry_s if scope["method"] == "GET" else None,
        )
    headers = {
        "content-type": kind,
        "content-language": language,
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    }
    if more_body:
        headers["connection"] = "close"
    if refusal.retry_s is not None:
        headers["retry-after"] = str(refusal.retry_s)
    start = {
        "type": "http.response.start",
        "status": int(refusal.status),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    await send(start)
    await send({"type": "http.response.body", "body": body.encode(), "more_body": more_body})


def written_for(
    request: HttpRequest, refusal: RequestRefused, sentence: str, *, again_s: int | None
) -> tuple[str, str]:
    """Return content type and body of a refusal of a request that Django has, in its language."""
    accepted = request.headers.get("Accept", "")
    return _written(request.path, accepted, refusal, sentence, again_s=again_s)


def _written(
    path: str, accepted: str, refusal: RequestRefused, sentence: str, *, again_s: int | None
) -> tuple[str, str]:
    """Return content type and body of a refusal, its sentence in the active language.

    The API answers with problem details (RFC 9457), scripts of pages get JSON, browsers a page that
    tries again after `again_s`, everybody else a line of text.
    """
    if path.startswith(API):
        told = problem_details(int(refusal.status), refusal.code, sentence)
        return "application/problem+json", json.dumps(told)
    if "application/json" in accepted:
        return "application/json", _json(refusal.code, sentence)
    if "text/html" in accepted:
        language = translation.get_language() or settings.LANGUAGE_CODE
        return "text/html; charset=utf-8", _page(sentence, language, again_s)
    return "text/plain; charset=utf-8", sentence + "\n"


def problem_details(status: int, code: str, sentence: str) -> dict[str, object]:
    """Return the body of a refusal of the API (RFC 9457)."""
    return {
        "type": "about:blank",
        "title": gettext("Refused"),
        "status": status,
        "code": code,
        "detail": sentence,
    }


def _try_again(seconds: int) -> str:
    return ngettext(
        "Please try again in %(seconds)s second.",
        "Please try again in %(seconds)s seconds.",
        seconds,
    ) % {"seconds": seconds}


def _json(code: str, sentence: str) -> str:
    return json.dumps({"ok": False, "code": code, "message": sentence})


def _page(sentence: str, language: str, again_s: int | None) -> str:
    refresh = f'<meta http-equiv="refresh" content="{again_s}">' if again_s else ""
    return (
        f'<!doctype html><html lang="{escape(language)}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"{refresh}<title>{escape(sentence)}</title></head>"
        f"<body><p>{escape(sentence)}</p></body></html>\n"
    )
