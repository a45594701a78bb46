"""The Django app of the chat."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ChatConfig(AppConfig):
    """Django app of the chat: messages, silences, reports and the word list."""

    name = "tables.chat"
    label = "chat"
    verbose_name = _("chat")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register a player's own messages for export and deletion, and the numbers of chats."""
        from accounts.deletion import parts
        from accounts.retention import kinds
        from accounts.users import account_export
        from tables.chat import deletion, history, numbers, pruning
        from tables.workers import database_losses

        kinds.register(pruning.MESSAGES, pruning.SILENCES)
        parts.register("chat", parts.PartOfAccount(deletion.erase))
        database_losses.on_loss(numbers.raise_above)
        account_export.register("chat_messages", history.exported_messages)
        account_export.register("chat_silences", history.exported_silences)
        account_export.register("chat_reports", history.exported_reports)
