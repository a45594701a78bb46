"""The Django app of log-ins by other providers."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ProvidersConfig(AppConfig):
    """Django app of log-ins by other providers."""

    name = "accounts.providers"
    label = "providers"
    verbose_name = _("log-ins by other providers")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register linked log-ins for the export and the deletion of an account."""
        from accounts.deletion import parts
        from accounts.providers import linking
        from accounts.users import account_export

        parts.register("providers", parts.PartOfAccount(linking.erase))
        account_export.register("linked_logins", linking.exported_links)
