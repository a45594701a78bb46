"""The Django app of seasons and achievements."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SeasonsConfig(AppConfig):
    """Django app of seasons, their tables, and achievements."""

    name = "tournaments.seasons"
    label = "seasons"
    verbose_name = _("seasons")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register a player's achievements for the export and the deletion of an account."""
        from accounts.deletion import parts
        from accounts.users import account_export
        from tournaments.seasons import achievements, deletion

        parts.register("seasons", parts.PartOfAccount(deletion.erase))
        account_export.register("achievements", achievements.exported_achievements)
