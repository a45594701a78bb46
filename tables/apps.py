"""Tables app: hands, streams and the workers that play them."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TablesConfig(AppConfig):
    """App of tables, seats and finished hands."""

    name = "tables"
    verbose_name = _("Tables")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register chats, the notification of a turn, and the gauges of the tables."""
        from accounts.notifications import kinds
        from config import metrics
        from tables.gateway import chat
        from tables.monitor import condition
        from tables.monitor.away_turns import MY_TURN

        chat.register_table_chats()
        kinds.register(MY_TURN)
        metrics.at_every_look(condition.gauges)
