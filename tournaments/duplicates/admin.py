"""Admin of duplicate sets: records, read-only."""

from __future__ import annotations

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from accounts.admin.read_only import ReadOnly
from config.admin_site import DeclaredLookups
from tournaments.duplicates.models import DuplicateGame, DuplicateSet


class DuplicateGames(ReadOnly, admin.TabularInline[DuplicateGame, DuplicateSet]):
    """Games of a set in their order."""

    model = DuplicateGame
    fields = ("shift", "tournament")
    extra = 0


@admin.register(DuplicateSet)
class DuplicateSetAdmin(ReadOnly, DeclaredLookups[DuplicateSet]):
    """Duplicate sets with their games, and why one ended early."""

    list_display = ("__str__", "played", "made_at", "ended_why")
    list_filter = ("made_at",)
    inlines = (DuplicateGames,)
    ordering = ("-pk",)

    @admin.display(description=_("games"))
    def played(self, found: DuplicateSet) -> str:
        """Return the games opened so far, of all games of the set."""
        return f"{found.games.count()}/{len(found.users)}"
