"""Admin of faces: moderators remove pictures, nobody sets them here."""

from __future__ import annotations

from django.contrib import admin, messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.admin.operators import operator
from accounts.admin.read_only import ReadOnly
from accounts.faces import faces
from accounts.faces.models import PlayerFace
from config.admin_site import DeclaredLookups

RIGHT = "faces.remove_picture"


@admin.register(PlayerFace)
class PlayerFaceAdmin(ReadOnly, DeclaredLookups[PlayerFace]):
    """Faces with their pictures, the newest change first."""

    list_display = ("user", "shown", "country", "changed_at")
    list_select_related = ("user",)
    search_fields = ("=user__name",)
    ordering = ("-changed_at",)
    actions = ("remove_pictures",)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Return whether the user removes pictures or may read the rows."""
        return self.has_remove_permission(request) or request.user.has_perm("faces.view_playerface")

    def has_remove_permission(self, request: HttpRequest) -> bool:
        """Return whether the user may remove pictures."""
        return request.user.has_perm(RIGHT)

    @admin.display(description=_("picture"))
    def shown(self, row: PlayerFace) -> str:
        """Return the picture itself."""
        if not row.picture:
            return ""
        address = reverse("picture", args=[row.picture])
        return format_html('<img src="{}" width="48" height="48" alt="">', address)

    @admin.action(description=_("Remove the selected pictures"), permissions=["remove"])
    def remove_pictures(self, request: HttpRequest, rows: QuerySet[PlayerFace]) -> None:
        """Remove pictures, each with a record."""
        moderator = operator(request)
        with transaction.atomic():
            removed = [row for row in rows if faces.remove_picture(row.user_id)]
            LogEntry.objects.log_actions(moderator.pk, removed, CHANGE, "removed the picture")
        words = ngettext("%(count)s picture removed.", "%(count)s pictures removed.", len(removed))
        messages.success(request, words % {"count": len(removed)})
