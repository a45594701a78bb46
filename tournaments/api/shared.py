"""Answers that are equal for all callers who may have them: made once a second for all of them."""

from __future__ import annotations

import json
from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Schema
from ninja.responses import NinjaJSONEncoder

from config.shared_value import SharedValues
from tournaments.api.callers import seen
from tournaments.entries import privacy
from tournaments.models import Tournament

SHARED_S = 1.0
"""Time in seconds for which callers share an answer."""
KEPT_MAX = 1_000
"""Answers that a web process keeps, the lately asked ones: some megabytes."""

_answers = SharedValues[str, bytes](seconds=SHARED_S, kept=KEPT_MAX)
_public = SharedValues[int, bool](seconds=SHARED_S, kept=KEPT_MAX)


def shared(name: str, make: Callable[[], Schema]) -> HttpResponse:
    """Return the answer of `make` to all who ask under a name, at most SHARED_S old.

    The caller decides before who may have it; the answer depends on the name alone.
    """
    return _sent(_answers.get(name, lambda: _written(make())))


def shared_page(listing: str, cursor: str, make: Callable[[str], Schema]) -> HttpResponse:
    """Return a page of a list that is equal for all; only its first page is shared."""
    if cursor:
        return _sent(_written(make(cursor)))
    return shared(listing, lambda: make(""))


def need_seen(request: HttpRequest, pk: int) -> None:
    """Raise Http404 as for a missing tournament where the user may not see it.

    A public tournament is known as such for a second; any other is looked up for each caller.
    """
    if not _public.get(pk, lambda: _is_public(pk)):
        seen(request, pk)


def forget_answers() -> None:
    """Make every answer anew when it is asked for the next time."""
    _answers.forget()
    _public.forget()


def _is_public(pk: int) -> bool:
    """Return whether everybody may see a tournament; raises Http404 for none, which is not kept."""
    tournament = Tournament.objects.filter(pk=pk).first()
    if tournament is None:
        raise Http404
    return privacy.admitted(tournament, ()) is None


def _written(answer: Schema) -> bytes:
    return json.dumps(answer.model_dump(), cls=NinjaJSONEncoder).encode()


def _sent(body: bytes) -> HttpResponse:
    return HttpResponse(body, content_type="application/json; charset=utf-8")
