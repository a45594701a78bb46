"""Limits how often an address, and everybody together, may have a password hashed."""

from __future__ import annotations

import math
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from accounts.login import source_of_request
from config import limits
from config.door.lanes import HASHING
from config.door.rates import Rate

SIGN_UP = "/accounts/signup/"
_EVERYBODY = "everybody"


class LimitAttempts:
    """Django middleware: answers 429 to log-ins and sign-ups that come too often."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Refuse the request, or pass it on."""
        wait_s = _wait_s(request) if request.method == "POST" else 0.0
        return self._get_response(request) if wait_s == 0.0 else _refusal(request, wait_s)


def _wait_s(request: HttpRequest) -> float:
    """Spend a try; return 0.0 or the seconds until the next one is free."""
    source = source_of_request(request)
    if request.path.startswith(SIGN_UP):
        return _sign_ups().take(source)
    if request.path.startswith(HASHING):
        # The address first: what it is refused, the others keep.
        return _log_ins().take(source) or _all_log_ins().take(_EVERYBODY)
    return 0.0


def _log_ins() -> Rate:
    per_minute = settings.LOGINS_PER_MINUTE_PER_ADDRESS
    return Rate("login", max(limits.LOGINS_BURST_PER_ADDRESS, per_minute), per_minute)


def _all_log_ins() -> Rate:
    per_minute = settings.LOGINS_PER_MINUTE
    return Rate("logins", max(limits.LOGINS_BURST, per_minute), per_minute)


def _sign_ups() -> Rate:
    per_minute = settings.SIGNUPS_PER_MINUTE_PER_ADDRESS
    return Rate("signup", max(limits.SIGNUPS_BURST_PER_ADDRESS, per_minute), per_minute)


def _refusal(request: HttpRequest, wait_s: float) -> HttpResponse:
    seconds = math.ceil(wait_s)
    if "application/json" in request.headers.get("Accept", ""):
        said = {
            "ok": False,
            "code": "slow_down",
            "message": _("Too many attempts in a short time."),
        }
        answer: HttpResponse = JsonResponse(said, status=429)
    else:
        answer = render(request, "slow_down.html", {"seconds": seconds}, status=429)
    answer["Retry-After"] = str(seconds)
    return answer
