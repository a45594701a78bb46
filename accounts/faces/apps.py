"""The Django app of faces."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class FacesConfig(AppConfig):
    """Django app of players' pictures and flags."""

    name = "accounts.faces"
    label = "faces"
    verbose_name = _("faces of players")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register faces for the export and the deletion of accounts, and their folder of files."""
        from accounts.deletion import parts
        from accounts.faces import faces, files
        from accounts.stored_files import folders
        from accounts.users import account_export

        parts.register("faces", parts.PartOfAccount(faces.erase))
        account_export.register("face", faces.exported_face)
        account_export.register_file("picture.webp", faces.exported_picture)
        folders.register(folders.StoredFolder(files.FOLDER.name, files.named))
