"""Admin of statistics: counters of players by game, read-only."""

from __future__ import annotations

from django.contrib import admin

from accounts.admin.read_only import ReadOnly
from config.admin_site import DeclaredLookups
from tables.statistics.models import PlayerCounts


@admin.register(PlayerCounts)
class PlayerCountsAdmin(ReadOnly, DeclaredLookups[PlayerCounts]):
    """Counters of players; `manage.py recount_statistics --check` proves them from the hands."""

    list_display = ("id", "user", "director", "game", "variant", "hands", "net")
    list_filter = ("director", "variant")
    list_select_related = ("user",)
    search_fields = ("=user__name",)
    ordering = ("-id",)
