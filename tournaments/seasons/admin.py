"""Admin of seasons and achievements: records, read-only; seasons are changed on their own pages."""

from __future__ import annotations

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from accounts.admin.read_only import ReadOnly
from config.admin_site import DeclaredLookups
from tournaments.seasons.models import Achievement, Season


@admin.register(Season)
class SeasonAdmin(ReadOnly, DeclaredLookups[Season]):
    """Seasons of the room and of clubs, with their terms."""

    list_display = ("name", "club", "first_day", "last_day", "formula", "best_of", "page")
    list_filter = ("audience",)
    list_select_related = ("club",)
    search_fields = ("name", "club__name", "series")

    @admin.display(description=_("page"))
    def page(self, season: Season) -> str:
        """Return a link to the season's own page."""
        return format_html('<a href="{}">{}</a>', reverse("season", args=[season.pk]), season.pk)


@admin.register(Achievement)
class AchievementAdmin(ReadOnly, DeclaredLookups[Achievement]):
    """Achievements of players."""

    list_display = ("id", "user", "kind", "tournament", "earned_at")
    list_filter = ("kind",)
    list_select_related = ("user", "tournament")
    search_fields = ("=user__name",)
    ordering = ("-id",)
