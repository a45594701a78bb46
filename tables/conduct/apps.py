"""The Django app of players' conduct."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ConductConfig(AppConfig):
    """Django app of conduct: figures of players and pairs, cases, reports."""

    name = "tables.conduct"
    label = "conduct"
    verbose_name = _("conduct")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Count in workers that settle, note log-ins, register notices and a part of accounts."""
        from django.contrib.auth.signals import user_logged_in

        from accounts.deletion import parts
        from accounts.notifications import kinds
        from accounts.retention import kinds as aging
        from accounts.users import account_export
        from config.celery import app
        from tables.conduct import deletion, logins, pruning
        from tables.conduct.following import ConductStep
        from tables.conduct.warnings.notices import WARNING

        app.steps["worker"].add(ConductStep)
        user_logged_in.connect(logins.on_login, dispatch_uid="conduct")
        parts.register("conduct", parts.PartOfAccount(deletion.erase))
        account_export.register("reports", deletion.exported_reports)
        account_export.register("warnings", deletion.exported_warnings)
        kinds.register(WARNING)
        aging.register(*pruning.KINDS)
