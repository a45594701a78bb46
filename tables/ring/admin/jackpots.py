"""Admin of jackpots: switched on and off, with their terms and pools; wins, read-only (J-01)."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts import money
from accounts.admin.logged_values import LoggedValues
from accounts.admin.read_only import ReadOnly
from config.admin_site import DeclaredLookups
from tables.ring.admin.jackpot_terms import JackpotForm, terms_in_words
from tables.ring.models import Jackpot, JackpotWin
from tables.ring.queries import jackpots


@admin.register(Jackpot)
class JackpotAdmin(ReadOnly, LoggedValues, DeclaredLookups[Jackpot]):
    """Jackpots of the room, one for each kind."""

    list_display = ("kind", "enabled", "pool", "terms")
    form = JackpotForm
    readonly_fields = ("kind", "pool")

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Return whether the user may switch jackpots."""
        return request.user.has_perm("ring.change_jackpot")

    @admin.display(description=_("pool"))
    def pool(self, row: Jackpot) -> str:
        """Return the pool in major units."""
        return money.text(jackpots.pool(row.kind))

    @admin.display(description=_("terms"))
    def terms(self, row: Jackpot) -> str:
        """Return feed, tiers or shares, and hours."""
        return terms_in_words(row.terms)

    def get_fields(self, request: HttpRequest, obj: Jackpot | None = None) -> Any:
        """Return the fields that this kind of jackpot has."""
        return ["kind", "pool", *JackpotForm(instance=obj).fields]


@admin.register(JackpotWin)
class JackpotWinAdmin(ReadOnly, DeclaredLookups[JackpotWin]):
    """Payments of jackpots to players."""

    list_display = ("id", "jackpot", "name", "role", "amount_text", "hand", "released_at")
    list_filter = ("jackpot",)
    list_select_related = ("jackpot", "hand")
    search_fields = ("name",)
    ordering = ("-id",)

    @admin.display(description=_("amount"), ordering="amount")
    def amount_text(self, row: JackpotWin) -> str:
        """Return the amount in major units."""
        return money.text(row.amount)
