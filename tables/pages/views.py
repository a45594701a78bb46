"""The pages of a table: where it is played and watched, and the hands that were played there."""

from __future__ import annotations

import msgspec
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import NoReverseMatch, reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from config import limits
from tables.dealer import director, record
from tables.history import replays
from tables.models import Hand, Table


@never_cache
@require_GET
def table(request: HttpRequest, pk: int) -> HttpResponse:
    """A table by its key; the socket decides what whoever looks may see."""
    found = _seen(request, get_object_or_404(Table, pk=pk))
    context = {
        "table": found,
        "game": found.game,
        "game_name": director.game_name(found.director, found.game),
        "game_url": _game_url(found),
    }
    return render(request, "tables/table.html", context)


@never_cache
@require_GET
def hands(request: HttpRequest, pk: int) -> HttpResponse:
    """The finished hands of a table, newest first, a page at a time."""
    found = _seen(request, get_object_or_404(Table, pk=pk))
    rows = Hand.objects.filter(table=found).order_by("-number")
    page = Paginator(rows, limits.HANDS_PER_PAGE).get_page(request.GET.get("page"))
    lines = [replays.line(record.decode(bytes(row.record)), request.user.pk) for row in page]
    context = {"table": found, "game_url": _game_url(found), "page_of": page, "lines": lines}
    return render(request, "tables/hands.html", context)


@never_cache
@require_GET
def hand(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """One finished hand to go through step by step, as whoever looks may see it (S-03)."""
    row = get_object_or_404(Hand.objects.select_related("table"), table=pk, number=number)
    _seen(request, row.table)
    replay = replays.replay(
        record.decode(bytes(row.record)),
        number=row.table.number,
        seats_max=row.table.seats_max,
        user=request.user.pk,
    )
    context = {
        "table": row.table,
        "game_url": _game_url(row.table),
        "number": number,
        "is_last": number == row.table.hand,
        "replay": msgspec.to_builtins(replay),
    }
    return render(request, "tables/hand.html", context)


def _seen(request: HttpRequest, table: Table) -> Table:
    """The table, for who may see its game; else there is nothing here."""
    if not director.may_see(table.director, table.game, request.user.pk):
        raise Http404
    return table


def _game_url(table: Table) -> str:
    """The page of the game a table belongs to: a director's pages are named after it."""
    try:
        return reverse(table.director, args=[table.game])
    except NoReverseMatch:
        return ""
