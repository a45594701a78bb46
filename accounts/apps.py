"""The Django app that holds users and the ledger."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    """Users, their sessions and the double-entry ledger (A-01)."""

    name = "accounts"
    verbose_name = _("accounts")
    default_auto_field = "django.db.models.BigAutoField"
