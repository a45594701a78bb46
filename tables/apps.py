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
        """Register the gauges of the tables with Prometheus."""
        from config import metrics
        from tables.gateway import chat
        from tables.monitor import condition

        chat.register_table_chats()
        metrics.at_every_look(condition.gauges)
