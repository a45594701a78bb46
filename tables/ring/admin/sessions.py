"""Admin of ring sessions: seats and stacks, read-only; kicks with a reason."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.admin.read_only import ReadOnly
from config.admin_site import DeclaredLookups
from tables.ring.admin.reasons import ReasonActionForm, each
from tables.ring.models import RingSession
from tables.ring.sessions import operating


@admin.register(RingSession)
class RingSessionAdmin(ReadOnly, DeclaredLookups[RingSession]):
    """Stays of players at ring tables."""

    list_display = ("id", "game", "table", "seat", "name", "state", "began_at", "ended_at")
    list_filter = ("state", "game")
    list_select_related = ("game", "table")
    search_fields = ("=id", "name")
    ordering = ("-id",)
    actions = ("kick",)
    action_form = ReasonActionForm

    def has_kick_permission(self, request: HttpRequest) -> bool:
        """Return whether the user may take players off their tables."""
        return request.user.has_perm("ring.change_ringsession")

    @admin.action(description=_("Take off the table after the hand"), permissions=["kick"])
    def kick(self, request: HttpRequest, queryset: QuerySet[RingSession]) -> None:
        """End these stays at the next boundary, with the reason."""
        done = gettext("leaves after this hand")
        each(self, request, queryset, lambda row: operating.kick(row.pk), done)
