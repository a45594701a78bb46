"""Admin of duplicate sets: records, read-only."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import prefetch_related_objects
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

    def with_live_facts(self, rows: Any) -> list[Any]:
        """Read the games of all sets of a list at once."""
        sets: list[Any] = list(rows)
        prefetch_related_objects(sets, "games")
        return sets

    @admin.display(description=_("games"))
    def played(self, found: DuplicateSet) -> str:
        """Return the games opened so far, of all games of the set."""
        return f"{len(found.games.all())}/{len(found.users)}"
