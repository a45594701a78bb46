"""The Django app of the public log."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class FairLogConfig(AppConfig):
    """Django app of the log of sealed decks: leaves, tiles and heads."""

    name = "tables.fairlog"
    label = "fairlog"
    verbose_name = _("log of sealed decks")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Let workers that settle take turns as keeper of the log."""
        from config.celery import app
        from tables.fairlog.keeping import KeeperStep

        app.steps["worker"].add(KeeperStep)
