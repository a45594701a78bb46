"""Page of fair dealing: the newest head, keys, how to check, counts of cuts, hands by number."""

from __future__ import annotations

from typing import NamedTuple

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from tables.dealer import director
from tables.fairlog import proofs, storage
from tables.fairlog.models import LogDay, LogLeaf, OpenedDeck
from tables.fairness.leaves import Fate, FateReason, LeafKind
from tables.history.void_hands import REASONS
from tables.models import SealedDeck

DAYS_SHOWN = 14

FATES = {
    Fate.PLAYED: _("played"),
    Fate.VOID_IN_PLAY: _("void in play"),
    Fate.VOID_BEFORE_CARDS: _("void before cards"),
    Fate.UNPLAYED: _("never played"),
}


class DeckSearch(forms.Form):
    """Table and hand whose seals are looked for."""

    table = forms.IntegerField(label=_("Number of the table in its address"), min_value=1)
    hand = forms.IntegerField(label=_("Hand"), min_value=1, max_value=2**31 - 1)


class LoggedDeck(NamedTuple):
    """A sealed deck of a hand as the log tells it: places of its leaves, and how it ended."""

    epoch: int
    seal: str
    seal_index: int | None
    fate_index: int | None
    fate: str
    reason: str
    is_played: bool
    opened: int | None


@never_cache
@require_GET
def fair(request: HttpRequest) -> HttpResponse:
    """Page that explains the sealed decks and their log, with its newest head and its keys."""
    head = storage.head()
    search = DeckSearch(request.GET) if "table" in request.GET else DeckSearch()
    found = None
    if search.is_bound and search.is_valid():
        found = _found(request, **search.cleaned_data)
    context = {
        "head": head,
        "origin": settings.FAIR_ORIGIN,
        "root": bytes(head.root).hex() if head else "",
        "keys": proofs.public_keys(),
        "room": settings.PUBLIC_URL,
        "days": LogDay.objects.order_by("-day")[:DAYS_SHOWN],
        "search": search,
        "asked": search.cleaned_data if found is not None else {},
        "found": found,
    }
    return render(request, "tables/fair_log.html", context)


def _found(request: HttpRequest, *, table: int, hand: int) -> list[LoggedDeck]:
    """Return the decks of a hand, one for each epoch, if the visitor may see its table."""
    decks = list(
        SealedDeck.objects.filter(table=table, hand=hand).select_related("table").order_by("epoch")
    )
    if not decks or not director.may_see(
        decks[0].table.director, decks[0].table.game, request.user.pk
    ):
        return []
    size = proofs.signed_size()
    rows = LogLeaf.objects.filter(deck__in=decks, index__lt=size)
    places = {(deck, kind): at for deck, kind, at in rows.values_list("deck", "kind", "index")}
    opened = set(OpenedDeck.objects.filter(deck__in=decks).values_list("pk", flat=True))
    return [
        LoggedDeck(
            epoch=deck.epoch,
            seal=bytes(deck.seal).hex(),
            seal_index=places.get((deck.pk, LeafKind.SEAL)),
            fate_index=places.get((deck.pk, LeafKind.FATE)),
            fate=str(FATES[Fate(deck.fate)]) if deck.fate else "",
            reason=str(REASONS[FateReason(deck.reason)]) if deck.reason else "",
            is_played=deck.fate == Fate.PLAYED,
            opened=deck.pk if deck.pk in opened else None,
        )
        for deck in decks
    ]
