"""Files of the log: its head, tiles, entries and proofs, for programs (C2SP tlog-tiles)."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET

from tables.fairlog import proofs, storage
from tables.fairlog.models import LogDay, OpenedDeck
from tables.fairness.encoding import HASH_SIZE
from tables.fairness.tiles import WIDTH, bundle, tile_count

FOREVER = "public, max-age=31536000, immutable"
"""Caching of all that a signed head covers: it never changes, and a proxy may keep it."""

NEWEST = "public, max-age=1"
DAYS_AT_ONCE_MAX = 366
_TEXT = "text/plain; charset=utf-8"
_BYTES = "application/octet-stream"


@require_GET
def checkpoint(request: HttpRequest) -> HttpResponse:
    """Newest signed head as a signed note; Http404 before the first one."""
    head = storage.head()
    if head is None:
        raise Http404("no head was signed yet")
    return _file(head.note, _TEXT, NEWEST)


@require_GET
def keys(request: HttpRequest) -> HttpResponse:
    """Public keys of calls and of the log's heads, newest first."""
    answer = JsonResponse(proofs.public_keys())
    answer["Cache-Control"] = NEWEST
    return answer


@require_GET
def day(request: HttpRequest, day: date) -> HttpResponse:
    """Last signed head of a UTC day; Http404 for a day without one."""
    found = get_object_or_404(LogDay, day=day, size__gt=0)
    return _file(found.note, _TEXT, NEWEST)


@require_GET
def days(request: HttpRequest) -> HttpResponse:
    """Days of the log with their last heads and counts, newest first; Http404 for `before` no day.

    `before` of the answer is that of the next request, null when no older day is there.
    """
    rows = LogDay.objects.order_by("-day")
    if "before" in request.GET:
        try:
            rows = rows.filter(day__lt=date.fromisoformat(request.GET["before"]))
        except ValueError as error:
            raise Http404("there is no such day") from error
    found = list(rows[: DAYS_AT_ONCE_MAX + 1])
    shown = found[:DAYS_AT_ONCE_MAX]
    before = shown[-1].day if len(found) > len(shown) else None
    answer = JsonResponse({"days": [_of_day(row) for row in shown], "before": before})
    answer["Cache-Control"] = NEWEST
    return answer


def _of_day(row: LogDay) -> dict[str, Any]:
    counts = {name: getattr(row, name) for name in storage.COUNTS}
    return {"day": row.day, "size": row.size, "checkpoint": row.note or None, **counts}


@require_GET
def tile(request: HttpRequest, level: int, number: int, width: int = WIDTH) -> HttpResponse:
    """Tile of hashes, whole or its first `width` hashes; Http404 beyond the newest head."""
    _require_signed(level, number, width)
    return _file(storage.tile(level, number)[: width * HASH_SIZE], _BYTES, FOREVER)


@require_GET
def entries(request: HttpRequest, number: int, width: int = WIDTH) -> HttpResponse:
    """Bundle of the leaves under a tile of level 0; Http404 beyond the newest head."""
    _require_signed(0, number, width)
    first = number * WIDTH
    return _file(bundle(storage.entries(first, first + width)), _BYTES, FOREVER)


@require_GET
def consistency(request: HttpRequest, old: int, size: int) -> HttpResponse:
    """Proof that the log of `size` leaves begins with that of `old`; Http404 beyond the head."""
    try:
        path = proofs.consistency(old, size)
    except ValueError as beyond:
        raise Http404(str(beyond)) from beyond
    answer = JsonResponse({"path": [node.hex() for node in path]})
    answer["Cache-Control"] = FOREVER
    return answer


@require_GET
def leaf(request: HttpRequest, index: int) -> HttpResponse:
    """Leaf with its path to the newest head; Http404 beyond it."""
    head = storage.head()
    if head is None or index >= head.size:
        raise Http404("the log has no such leaf")
    [found] = storage.entries(index, index + 1)
    # A head that is signed meanwhile would be another one than the answer names.
    path = [node.hex() for node in proofs.leaf_path(index, head.size)]
    given = {"index": index, "leaf": found.hex(), "path": path, "checkpoint": head.note}
    answer = JsonResponse(given)
    answer["Cache-Control"] = NEWEST
    return answer


@require_GET
def opened_deck(request: HttpRequest, pk: int) -> HttpResponse:
    """Proof of a deck that was never dealt, with all its cards; Http404 for any other deck."""
    found = get_object_or_404(OpenedDeck.objects.select_related("deck"), pk=pk)
    answer = JsonResponse(proofs.proof_of_opened(found))
    answer["Cache-Control"] = NEWEST
    return answer


@require_GET
def opened_decks(request: HttpRequest, number: int) -> HttpResponse:
    """Secrets of undealt decks whose fates are in one entry bundle; Http404 beyond the head.

    A deck that was not opened yet is left out.
    """
    _require_signed(0, number, 1)
    answer = JsonResponse({"decks": proofs.opened_decks(number * WIDTH, (number + 1) * WIDTH)})
    answer["Cache-Control"] = NEWEST
    return answer


def _require_signed(level: int, number: int, width: int) -> None:
    if not 0 < width <= WIDTH:
        raise Http404("a tile has 1 to 256 hashes")
    if number * WIDTH + width > tile_count(level, proofs.signed_size()):
        raise Http404("the log has no such tile")


def _file(content: str | bytes, kind: str, cached: str) -> HttpResponse:
    return HttpResponse(content, content_type=kind, headers={"Cache-Control": cached})
