"""The Django app of looks."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LooksConfig(AppConfig):
    """Django app of the looks of tables."""

    name = "accounts.looks"
    label = "looks"
    verbose_name = _("looks of tables")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register a player's look for the export and the deletion of an account."""
        from accounts.deletion import parts
        from accounts.looks import looks
        from accounts.users import account_export

        parts.register("looks", parts.PartOfAccount(looks.erase))
        account_export.register("table_look", looks.exported_look)
