"""The Django app of players' statistics."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class StatisticsConfig(AppConfig):
    """Django app of statistics: counters of each player by game."""

    name = "tables.statistics"
    label = "statistics"
    verbose_name = _("statistics")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register a player's counters for the export and the deletion of an account."""
        from accounts.deletion import parts
        from accounts.users import account_export
        from tables.statistics import deletion

        parts.register("statistics", parts.PartOfAccount(deletion.erase))
        account_export.register("statistics", deletion.exported_counts)
        account_export.register("statistics_choice", deletion.exported_choice)
