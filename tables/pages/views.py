"""Pages of a table: the table to play or watch, and the hands played there."""

from __future__ import annotations

import msgspec
from django.conf import settings
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import NoReverseMatch, reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from accounts.player_notes.notes import has_notes
from accounts.research.mark import told
from config import limits
from config.postgres.statements import ANY_KEY, BuiltOnce
from tables.chat.authority import may_moderate
from tables.dealer import director
from tables.fairlog import proofs
from tables.history import own, replays
from tables.history.kept import all_kept, kept_of
from tables.history.released import hands_of_table
from tables.history.void_hands import newest, void_hands
from tables.models import Hand, Table
from tables.pages.seated_faces import seated_faces
from tables.records import hand_months

_TABLE = BuiltOnce(lambda pk: Table.objects.filter(pk=pk), ANY_KEY)


@never_cache
@require_GET
def table(request: HttpRequest, pk: int) -> HttpResponse:
    """Page of a table by its key; the socket decides what the visitor may see."""
    row = _TABLE.first(pk)
    if row is None:
        raise Http404
    found = seen(request, row)
    context = {
        **_context(found),
        **director.panel_facts(found.director, found.game),
        "game": found.game,
        "game_name": director.game_name(found.director, found.game),
        # Players of a rapid pool sit somewhere else in every hand: nobody could answer them.
        "has_chat": settings.CHAT and not director.moves_every_hand(found.director),
        "has_rail_chat": settings.CHAT_SPECTATORS,
        "moderates_chat": may_moderate(request.user, f"tablechat:{pk}"),
        "has_notes": has_notes(request.user.pk),
        "seated_faces": seated_faces(found),
    }
    return render(request, "tables/table.html", context)


@never_cache
@require_GET
def hands(request: HttpRequest, pk: int) -> HttpResponse:
    """Page of a table's finished hands that are released, newest first, and of its void hands."""
    found = seen(request, get_object_or_404(Table, pk=pk))
    rows = hands_of_table(found).order_by("-number")
    page = Paginator(rows, limits.HANDS_PER_PAGE).get_page(request.GET.get("page"))
    lines = [replays.line(kept, request.user.pk) for kept in all_kept(page)]
    context = {
        **_context(found),
        "page_of": page,
        "lines": lines,
        "void": newest(void_hands(found.director, found.game).filter(table=found)),
    }
    return render(request, "tables/hands.html", context)


@never_cache
@require_GET
def own_hands(request: HttpRequest, pk: int) -> HttpResponse:
    """List the visitor's own last hands at a table, newest first, for the table's page."""
    found = seen(request, get_object_or_404(Table, pk=pk))
    if request.user.pk is None:
        raise Http404
    mine = own.own_hands(request.user.pk).filter(hand_months.of_table(found))
    rows = mine.order_by("-number")
    newest_rows = rows[: limits.OWN_HANDS_SHOWN]
    lines = [replays.line(kept, request.user.pk) for kept in all_kept(newest_rows)]
    context = {**_context(found), "lines": lines}
    return render(request, "tables/_own_hands.html", context)


@never_cache
@require_GET
def hand(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Page of one finished hand, step by step, as the visitor may see it (S-03)."""
    row = released_hand(request, pk, number)
    kept = kept_of(row, request.user.pk)
    replay = replays.replay(
        kept,
        number=row.table.number,
        seats_max=row.table.seats_max,
        user=request.user.pk,
    )
    context = {
        **_context(row.table),
        "number": number,
        "is_sealed": kept.called is not None,
        "is_last": not hands_of_table(row.table).filter(number__gt=number).exists(),
        "replay": msgspec.to_builtins(replay),
        "line": replays.line(kept, None),
        "game_name": director.game_name(row.table.director, row.table.game),
        "address": request.build_absolute_uri(request.path),
    }
    return render(request, "tables/hand.html", context)


@never_cache
@require_GET
def hand_fair(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Page that checks the proof of one hand in the visitor's browser; Http404 before its release.

    Http404 as well for a hand that was dealt without a seal; in a research room the page says why.
    """
    row = released_hand(request, pk, number)
    kept = kept_of(row, request.user.pk)
    proof = proofs.proof_of_hand(kept, request.user.pk)
    if proof is None:
        if not told.get():
            raise Http404("the hand was dealt without a seal")
        context = {**_context(row.table), "number": number}
        return render(request, "tables/fair_research.html", context)
    given = {
        "proof": proof,
        "keys": proofs.public_keys(),
        "names": {str(seat.seat): seat.name for seat in kept.seats},
    }
    context = {**_context(row.table), "number": number, "given": given}
    return render(request, "tables/fair.html", context)


def seen(request: HttpRequest, table: Table) -> Table:
    """Return the table for a visitor that may see its game; else raise Http404."""
    if not director.may_see(table.director, table.game, request.user.pk):
        raise Http404
    return table


def released_hand(request: HttpRequest, pk: int, number: int) -> Hand:
    """Return a released hand for a visitor that may see its game; else raise Http404.

    A hand that is not released is answered as one that does not exist, so that nobody learns of it.
    """
    table = get_object_or_404(Table, pk=pk)
    row = get_object_or_404(hands_of_table(table), number=number)
    seen(request, table)
    return row


def _context(table: Table) -> dict[str, object]:
    """Return what each page of a table needs: its director's words, panels and unit of chips."""
    name = table.director
    return {
        "table": table,
        "game_url": _game_url(table),
        "for_money": director.plays_for_money(name),
        "words_template": [f"tables/{name}/words.html", "tables/words.html"],
        "panels_template": [f"tables/{name}/panels.html", "tables/panels.html"],
    }


def _game_url(table: Table) -> str:
    """Return the page of the table's game: the URL is named after its director."""
    try:
        return reverse(table.director, args=[table.game])
    except NoReverseMatch:
        return ""
