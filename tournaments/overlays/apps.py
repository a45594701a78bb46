"""The Django app of overlays."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class OverlaysConfig(AppConfig):
    """Django app of overlays and their links."""

    name = "tournaments.overlays"
    label = "overlays"
    verbose_name = _("overlays")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Let sockets ask which link a token belongs to; register the folder of sponsors."""
        from accounts.stored_files import folders
        from tables.gateway import links
        from tournaments.overlays import linking, sponsoring

        links.register(links.LinkRules(linking.rights, linking.valid))
        folders.register(folders.StoredFolder(sponsoring.FOLDER.name, sponsoring.named))
