"""Downloads of many hands, streamed: a whole game as its reader was shown it, or all own hands."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from accounts.logins.lockout import source_of_request
from config import limits
from config.door.parts import without_blocking
from config.door.rates import Rate
from tables.history.exports import streams
from tables.history.exports.files import FORMATS
from tables.history.own import own_hands
from tables.models import Hand

BUNDLES = Rate("hand-bundles", limits.BUNDLES_BURST, limits.BUNDLES_PER_MINUTE)
"""Downloads of one user, or of one address without a log-in: each replays all its hands."""
ZIPPED = "phh"
"""Format of the files in a zip file, unless the reader asks for another one."""


@login_required
@never_cache
@require_GET
def own_bundle(request: HttpRequest, ending: str) -> HttpResponseBase:
    """Stream the visitor's own finished hands, with own cards and those that were shown."""
    assert request.user.is_authenticated
    return bundle(request, own_hands(request.user.pk), ending, name="my-hands", back="wallet")


def bundle(
    request: HttpRequest, rows: QuerySet[Hand], ending: str, *, name: str, back: str
) -> HttpResponseBase:
    """Stream released hands as JSON lines or zip; above the rate lead `back` with a notice."""
    user = request.user.pk
    if BUNDLES.take(f"user:{user}" if user else f"address:{source_of_request(request)}"):
        messages.warning(request, gettext("Hands were downloaded just now. Try again later."))
        return redirect(back)
    asked = request.GET.get("format", ZIPPED)
    return streamed(rows, user, ending, name, asked if asked in FORMATS else ZIPPED)


def streamed(
    rows: QuerySet[Hand], user: int | None, ending: str, name: str, form: str
) -> StreamingHttpResponse:
    """Return the stream of the hands; `ending` is `ndjson` or `zip`."""
    keys = streams.chosen(rows)
    lines = ending == "ndjson"
    parts = streams.json_lines(keys, user) if lines else streams.zipped(keys, user, form)
    return StreamingHttpResponse(
        without_blocking(parts),
        content_type="application/x-ndjson; charset=utf-8" if lines else "application/zip",
        headers={
            "Content-Disposition": f'attachment; filename="{name}.{ending}"',
            "Cache-Control": "no-store",
        },
    )
