"""Problem details (RFC 9457) of refused requests to the API."""

from __future__ import annotations

from collections.abc import Sequence
from functools import wraps
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseNotAllowed,
    JsonResponse,
)
from django.urls import URLPattern, URLResolver
from django.views.decorators.csrf import csrf_exempt
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError

from accounts.refusals import words_of
from accounts.users.access_tokens import InvalidToken, MissingScope
from accounts.users.token_requests import TooManyRequests
from config.door.refusals import problem_details
from config.refusals import Refusal
from config.refusals import marked as _
from tournaments.api.access import LoginNeeded

_CODES = {
    400: ("invalid_cursor", "invalid_request", "missing_key"),
    401: ("invalid_token", "login"),
    403: ("foreign_request", "missing_scope", "missing_permission"),
    404: (
        "no_such_game",
        "no_such_offer",
        "no_such_table",
        "no_such_template",
        "no_such_ticket",
        "no_such_tournament",
    ),
    405: ("wrong_method",),
    413: ("body_too_large",),
    429: ("too_many_requests", "too_many_tries"),
}
FIELDS_MAX, FIELD_MAX_CHARACTERS = 20, 80
_STATUSES = {code: status for status, codes in _CODES.items() for code in codes}
"""Codes of refusals -> status; refusals of the room's rules are conflicts (409)."""


class InvalidCursor(Refusal):
    """Refusal of a cursor that the API did not give out for this list."""

    code = "invalid_cursor"
    sentence = _("The cursor is not valid here.")


class MissingResource(Refusal):
    """Refusal of something that does not exist, or that the owner of the token may not see."""

    code = "not_found"
    sentence = _("There is nothing here.")


class MissingPermission(Refusal):
    """Refusal of something that the owner of the token has no right to do."""

    code = "missing_permission"
    sentence = _("You do not have the right to do this.")


class InvalidRequest(Refusal):
    """Refusal of parameters that do not have the documented form."""

    code = "invalid_request"
    sentence = _("The request does not have the documented form.")


class WrongMethod(Refusal):
    """Refusal of a method that no route of the address has."""

    code = "wrong_method"
    sentence = _("Nothing here is done by this method.")


class BodyTooLarge(Refusal):
    """Refusal of a body above the limit of the room."""

    code = "body_too_large"
    sentence = _("The body of the request is too large.")


def install(api: NinjaAPI) -> None:
    """Answer every refusal of this API with problem details."""
    api.add_exception_handler(Refusal, _refused)
    api.add_exception_handler(AuthenticationError, lambda request, _: problem(InvalidToken()))
    api.add_exception_handler(ValidationError, _invalid)
    api.add_exception_handler(RequestDataTooBig, lambda request, _: problem(BodyTooLarge()))
    # Raised by ninja for a body that is no JSON, or is nested too deeply.
    api.add_exception_handler(HttpError, lambda request, _: problem(InvalidRequest()))
    api.add_exception_handler(Http404, lambda request, _: problem(MissingResource(), 404))


def of_methods(route: URLPattern | URLResolver) -> URLPattern:
    """Answer wrong methods by a problem, which ninja answers in plain text."""
    assert isinstance(route, URLPattern), "an API has no folders of addresses"
    view = route.callback

    @wraps(view)
    def answered(request: HttpRequest, *given: Any, **named: Any) -> HttpResponse:
        answer: HttpResponse = view(request, *given, **named)
        if not isinstance(answer, HttpResponseNotAllowed):
            return answer
        refused = problem(WrongMethod())
        refused["Allow"] = answer["Allow"]
        return refused

    route.callback = answered
    return route


@csrf_exempt
def missing(request: HttpRequest) -> HttpResponse:
    """Answer an address of the API that no route has."""
    return problem(MissingResource(), 404)


def _refused(request: HttpRequest, refusal: Refusal | type[Refusal]) -> HttpResponse:
    assert isinstance(refusal, Refusal)
    return problem(refusal)


def _invalid(
    request: HttpRequest, invalid: ValidationError | type[ValidationError]
) -> HttpResponse:
    assert isinstance(invalid, ValidationError)
    places = (_place(error["loc"]) for error in invalid.errors[:FIELDS_MAX])
    return problem(InvalidRequest(), fields=[*dict.fromkeys(filter(None, places))])


def _place(path: Sequence[str | int]) -> str:
    """Return a parameter, or the path to a field of the body, whose own name no client knows."""
    parts = path[2:] if path[0] == "body" else path[1:]
    return ".".join(map(str, parts))[:FIELD_MAX_CHARACTERS]


def problem(refusal: Refusal, status: int = 0, fields: Sequence[str] = ()) -> HttpResponse:
    """Return a refusal as problem details, its sentence in the language of the request.

    `fields` are the parameters and fields of the body that do not have their form; `allowed` are
    the values that would have been accepted.
    """
    status = status or _STATUSES.get(refusal.code, 409)
    more = {"fields": fields, "allowed": refusal.allowed}
    answer = JsonResponse(
        problem_details(status, refusal.code, words_of(refusal))
        | {name: value for name, value in more.items() if value},
        status=status,
        content_type="application/problem+json",
    )
    if isinstance(refusal, InvalidToken | MissingScope):
        answer["WWW-Authenticate"] = f'Bearer error="{refusal.code}"'
    if isinstance(refusal, LoginNeeded):
        answer["WWW-Authenticate"] = "Bearer"
    if isinstance(refusal, TooManyRequests):
        answer["Retry-After"] = str(refusal.allowed["wait_s"])
    answer["Cache-Control"] = "no-store"
    return answer
