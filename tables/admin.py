"""Tables and finished hands in the admin; hole cards need a permission, and looking is logged."""

from __future__ import annotations

from typing import Any

import msgspec
from django.contrib import admin
from django.contrib.admin.models import CHANGE, LogEntry
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html_join
from django.utils.translation import gettext_lazy as _

from accounts.admin.read_only import ReadOnly
from config.admin_site import DeclaredLookups
from tables.engine.events import HandEvent
from tables.engine.visibility import view
from tables.models import Hand, Seat, Table
from tables.play import record

SEE_CARDS = "tables.see_hole_cards"


class SeatInline(ReadOnly, admin.TabularInline):
    """Who sits at the table that is looked at."""

    model = Seat
    fields = ("seat", "name", "entry", "chips", "bank_ms", "absent", "newcomer")
    readonly_fields = fields
    extra = 0


@admin.register(Table)
class TableAdmin(ReadOnly, DeclaredLookups):
    """Tables with their seats as they were at the last hand boundary."""

    list_display = ("id", "director", "game", "number", "status", "hand", "epoch", "opened_at")
    list_filter = ("status", "director")
    search_fields = ("=id", "=game")
    ordering = ("-id",)
    exclude = ("grant",)
    inlines = (SeatInline,)


@admin.register(Hand)
class HandAdmin(ReadOnly, DeclaredLookups):
    """Finished hands, event by event."""

    list_display = ("id", "table", "number", "level", "players", "actions", "pot", "finished_at")
    list_select_related = ("table",)
    search_fields = ("=table__id", "=table__game")
    ordering = ("-id",)
    fields = (
        *("table", "number", "level", "players", "actions", "pot", "finished_at", "released_at"),
        "events",
    )

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kw: Any) -> Any:
        """Note who looked at the cards of which hand before they are shown."""
        response: HttpResponse = super().change_view(request, object_id, *args, **kw)
        hand = self.get_object(request, object_id)
        if hand is not None and request.user.has_perm(SEE_CARDS):
            LogEntry.objects.log_actions(
                request.user.pk, [hand], CHANGE, "looked at hole cards", single_object=True
            )
        return response

    def get_fields(self, request: HttpRequest, obj: Hand | None = None) -> Any:
        """The same hand with or without cards, by permission."""
        last = "events_with_cards" if request.user.has_perm(SEE_CARDS) else "events"
        return (*self.fields[:-1], last)

    def get_readonly_fields(self, request: HttpRequest, obj: Hand | None = None) -> Any:
        """All of them."""
        return self.get_fields(request, obj)

    @admin.display(description=_("events"))
    def events(self, hand: Hand) -> str:
        """What everybody at the table saw."""
        return _lines([view(event, None) for event in _replayed(hand)])

    @admin.display(description=_("events with all cards"))
    def events_with_cards(self, hand: Hand) -> str:
        """What nobody at the table saw in whole; the deck included."""
        return _lines(_replayed(hand))


def _replayed(hand: Hand) -> list[HandEvent]:
    kept = record.decode(bytes(hand.record))
    return list(record.replay(kept.setup, kept.actions))


def _lines(events: list[HandEvent]) -> str:
    """One event a line, its fields in JSON."""
    told = ((msgspec.json.encode(event).decode(),) for event in events)
    return format_html_join("", "<div><code>{}</code></div>", told)
