"""Admin of ring sessions: seats and stacks, read-only; kicks and penalties with a reason."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import money
from accounts.admin.read_only import ReadOnly
from config.admin_site import DeclaredLookups, LatestRelated, LatestValues
from tables.ring.admin.reasons import ReasonActionForm, each, operator
from tables.ring.admin.shown import in_words, labels_of
from tables.ring.models import RingAuditRow, RingGame, RingSession
from tables.ring.sessions import operating

_STAY = in_words(
    (field.name for field in RingSession._meta.fields if field.name not in ("id", "pledge")),
    amounts=labels_of(RingSession, ("coming", "bought", "left_with", "rake_paid", "stack")),
    times=labels_of(RingGame, ("bank_ms",)),  # that of a session names milliseconds
)
"""Fields of the page of a stay."""


@admin.register(RingSession)
class RingSessionAdmin(ReadOnly, DeclaredLookups[RingSession]):
    """Stays of players at ring tables."""

    list_display = (
        *("id", "game", "table", "seat", "name", "state", "began_at", "ended_at"),
        *("hands", "result_text", "rake_text"),
    )
    list_filter = ("state", ("game", LatestRelated))
    list_select_related = ("game", "table")
    search_fields = ("=id", "name")
    ordering = ("-id",)
    actions = ("kick",)
    action_form = ReasonActionForm

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return the fields of a stay, amounts and times in words."""
        return _STAY

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Make all fields read-only."""
        return _STAY

    @admin.display(description=_("result"))
    def result_text(self, row: RingSession) -> str:
        """Return what an ended stay won or lost, in major units."""
        ended = row.state == RingSession.State.LEFT
        return money.text(row.left_with - row.bought) if ended else "–"

    @admin.display(description=_("rake"), ordering="rake_paid")
    def rake_text(self, row: RingSession) -> str:
        """Return the rake attributed to the player, in major units (R-02)."""
        return money.text(row.rake_paid)

    def has_kick_permission(self, request: HttpRequest) -> bool:
        """Return whether the user may take players off their tables."""
        return request.user.has_perm("ring.change_ringsession")

    def get_list_display(self, request: HttpRequest) -> Any:
        """Return the columns, with links to penalties for users with that right (P-03)."""
        may = request.user.has_perm("ring.add_penalty")
        return (*self.list_display, _penalty) if may else self.list_display

    @admin.action(description=_("Take off the table after the hand"), permissions=["kick"])
    def kick(self, request: HttpRequest, queryset: QuerySet[RingSession]) -> None:
        """End these stays at the next boundary, with the reason."""
        by, done = operator(request), gettext("leaves after this hand")
        each(self, request, queryset, lambda row, why: operating.kick(by, row.pk, why), done)


@admin.display(description=_("penalty"))
def _penalty(session: RingSession) -> str:
    """Link to the order of a penalty for a player at a table."""
    if session.state == RingSession.State.LEFT:
        return "–"
    page = reverse("admin:ring_penalty_add")
    return format_html('<a href="{}?session={}">{}</a>', page, session.pk, _("Penalty"))


@admin.register(RingAuditRow)
class RingAuditRowAdmin(ReadOnly, DeclaredLookups[RingAuditRow]):
    """Actions of operators on ring games, with actor and reason."""

    list_display = ("id", "at", "game", "player", "actor", "action", "reason")
    list_filter = (("action", LatestValues),)
    list_select_related = ("game", "session", "actor")
    search_fields = ("=game__id", "session__name", "actor__name", "reason")
    ordering = ("-id",)

    @admin.display(description=_("player"))
    def player(self, row: RingAuditRow) -> str:
        """Return the player concerned, if it is one."""
        return "–" if row.session is None else row.session.name
