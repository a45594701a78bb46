"""The Django app of notifications."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NotificationsConfig(AppConfig):
    """Django app of notifications: choices, devices and deliveries."""

    name = "accounts.notifications"
    label = "notifications"
    verbose_name = _("notifications")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register a player's choices and devices for export, deletion and the end of sessions."""
        from accounts.deletion import parts
        from accounts.notifications import own_rows
        from accounts.notifications.delivering import NOTIFICATIONS
        from accounts.retention import kinds
        from accounts.users import account_export

        kinds.register(NOTIFICATIONS)
        own_rows.follow_sessions()
        parts.register("notifications", parts.PartOfAccount(own_rows.erase))
        account_export.register("notification_choices", own_rows.exported_choices)
        account_export.register("notification_settings", own_rows.exported_settings)
        account_export.register("push_devices", own_rows.exported_devices)
        account_export.register("notifications", own_rows.exported_notifications)
