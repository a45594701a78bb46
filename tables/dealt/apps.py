"""The Django app of dealt cards."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DealtConfig(AppConfig):
    """Django app of dealt cards: figures by day, and their player's page."""

    name = "tables.dealt"
    label = "dealt"
    verbose_name = _("dealt cards")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register a player's figures for the export and the deletion of an account."""
        from accounts.deletion import parts
        from accounts.users import account_export
        from tables.dealt import rows

        parts.register("dealt", parts.PartOfAccount(rows.erase))
        account_export.register("dealt_cards", rows.exported_days)
