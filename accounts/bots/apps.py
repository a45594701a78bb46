"""The Django app of bot accounts."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class BotAccountsConfig(AppConfig):
    """Django app of bot accounts: their owners, their tokens, their end."""

    name = "accounts.bots"
    label = "bot_accounts"
    verbose_name = _("bot accounts")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register an owner's bots for the export and the deletion of an account."""
        from accounts.bots import deletion
        from accounts.deletion import parts
        from accounts.users import account_export

        parts.register("bot_accounts", parts.PartOfAccount(deletion.erase, deletion.obstacles))
        account_export.register("bots", deletion.exported)
