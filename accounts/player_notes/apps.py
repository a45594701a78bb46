"""The Django app of notes on players."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PlayerNotesConfig(AppConfig):
    """Django app of notes on players; it has no admin, since nobody else reads them."""

    name = "accounts.player_notes"
    label = "player_notes"
    verbose_name = _("notes on players")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register a player's notes for the export and the deletion of an account."""
        from accounts.deletion import parts
        from accounts.player_notes import notes
        from accounts.users import account_export

        parts.register("player_notes", parts.PartOfAccount(notes.erase))
        account_export.register("player_notes", notes.exported_notes)
