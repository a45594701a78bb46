"""Routes of whole collections of hands, streamed: own ones, and those of a tournament."""

from __future__ import annotations

from typing import Any, Literal

from django.http import HttpRequest, StreamingHttpResponse
from ninja import Router

from accounts.users.token_requests import refuse_above
from tables.history.own import own_hands
from tables.history.released import hands_of_game
from tables.pages.bundles import BUNDLES, streamed
from tournaments.api.access import ScopedBearer
from tournaments.api.callers import caller, seen

router = Router()

OWN = ScopedBearer("hands:own")
WATCH = ScopedBearer("watch")

Ending = Literal["ndjson", "zip"]
Zipped = Literal["ndjson", "ohh", "phh", "pokerstars"]


def _described() -> dict[str, Any]:
    """Return the description of a stream for the OpenAPI document."""
    lines = {"application/x-ndjson": {"schema": {"type": "string"}}}
    packed = {"application/zip": {"schema": {"type": "string", "format": "binary"}}}
    return {"responses": {200: {"description": "OK", "content": lines | packed}}}


@router.get("/hands/bundle", auth=OWN, url_name="api_hands_bundle", openapi_extra=_described())
def hands_bundle(
    request: HttpRequest, ending: Ending = "ndjson", format: Zipped = "phh"
) -> StreamingHttpResponse:
    """Stream all of the user's finished hands, by table; `format` is that of zip files."""
    user = caller(request)
    refuse_above(BUNDLES.take(f"user:{user.pk}"))
    return streamed(own_hands(user.pk), user.pk, ending, "my-hands", format)


@router.get(
    "/tournaments/{int:pk}/hands/bundle",
    auth=WATCH,
    url_name="api_tournament_bundle",
    openapi_extra=_described(),
)
def tournament_bundle(
    request: HttpRequest, pk: int, ending: Ending = "ndjson", format: Zipped = "phh"
) -> StreamingHttpResponse:
    """Stream all finished hands of a tournament that the user may see, as spectators saw them."""
    seen(request, pk)
    refuse_above(BUNDLES.take(f"user:{caller(request).pk}"))
    rows = hands_of_game("tournament", pk)
    return streamed(rows, None, ending, f"tournament-{pk}-hands", format)
