"""The Django app of steps for a second person."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ApprovalsConfig(AppConfig):
    """Django app of steps that a second person answers."""

    name = "accounts.approvals"
    label = "approvals"
    verbose_name = _("steps for a second person")
    default_auto_field = "django.db.models.BigAutoField"
