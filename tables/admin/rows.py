"""Tables and finished hands in the admin; hole cards need a permission and a reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.admin.operators import operator
from accounts.admin.read_only import ReadOnly
from config.admin_site import DeclaredLookups
from tables.engine.events import HandEvent
from tables.history import all_cards
from tables.models import Hand, Seat, Table
from tables.records.month_keys import NoMonthKey


class CardsReasonForm(forms.Form):
    """Reason for looking at cards that no player at the table saw."""

    reason = forms.CharField(label=_("Reason"), max_length=300)


class SeatInline(ReadOnly, admin.TabularInline[Seat, Table]):
    """Seated entries of a table."""

    model = Seat
    fields = ("seat", "name", "entry", "chips", "bank_ms", "absent", "newcomer")
    readonly_fields = fields
    extra = 0


@admin.register(Table)
class TableAdmin(ReadOnly, DeclaredLookups[Table]):
    """Tables with their seats as of the last hand boundary."""

    list_display = ("id", "director", "game", "number", "status", "hand", "epoch", "opened_at")
    list_filter = ("status", "director")
    search_fields = ("=id", "=game")
    ordering = ("-id",)
    exclude = ("grant",)
    inlines = (SeatInline,)


@admin.register(Hand)
class HandAdmin(ReadOnly, DeclaredLookups[Hand]):
    """Finished hands, event by event."""

    list_display = ("id", "table", "number", "level", "players", "actions", "pot", "finished_at")
    list_select_related = ("table",)
    search_fields = ("=table__id", "=table__game")
    ordering = ("-id",)
    fields = (
        *("table", "number", "level", "players", "actions", "pot", "finished_at", "released_at"),
        "events",
    )

    def get_urls(self) -> list[URLPattern]:
        """Add the page of all cards of a hand, which asks for a reason."""
        view = self.admin_site.admin_view(self.cards_view)
        return [path("<int:pk>/cards/", view, name="tables_hand_cards"), *super().get_urls()]

    def cards_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show all cards of a finished hand for a reason, logged before they are shown (POST)."""
        hand = get_object_or_404(Hand.objects.select_related("table"), pk=pk)
        viewer = operator(request)
        refusal = all_cards.refusal(viewer, hand)
        if refusal == all_cards.NO_RIGHT:
            raise PermissionDenied
        form = CardsReasonForm(request.POST or None)
        lines, lacks_key = "", False
        if not refusal and request.method == "POST" and form.is_valid():
            try:
                lines = _lines(all_cards.events(viewer, hand, form.cleaned_data["reason"]))
            except NoMonthKey:
                lacks_key = True
        context = self.admin_site.each_context(request) | {
            "title": gettext("All cards of hand %(number)s") % {"number": hand.number},
            "opts": self.opts,
            "hand": hand,
            "form": form,
            "lines": lines,
            "refusal": refusal,
            "lacks_key": lacks_key,
        }
        status = 403 if refusal else 200
        return TemplateResponse(request, "admin/tables/hand/cards.html", context, status=status)

    def get_readonly_fields(self, request: HttpRequest, obj: Hand | None = None) -> Any:
        """Return all fields."""
        return (*self.fields, "cards")

    def get_fields(self, request: HttpRequest, obj: Hand | None = None) -> Any:
        """Return the fields, with the link to the cards for users with the right."""
        return (*self.fields, "cards") if request.user.has_perm(all_cards.RIGHT) else self.fields

    @admin.display(description=_("all cards"))
    def cards(self, hand: Hand) -> str:
        """Return a link to the page that shows the cards for a reason."""
        page = reverse("admin:tables_hand_cards", args=[hand.pk])
        return format_html('<a href="{}">{}</a>', page, _("Show with a reason"))

    @admin.display(description=_("events"))
    def events(self, hand: Hand) -> str:
        """Return the public events of the hand."""
        return _lines(all_cards.public(hand))


def _lines(events: Sequence[HandEvent]) -> str:
    """Return one event per line, with its fields in JSON."""
    rows = ((msgspec.json.encode(event).decode(),) for event in events)
    return format_html_join("", "<div><code>{}</code></div>", rows)
