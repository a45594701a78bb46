"""Read-only admin of clubs and of the record of their steps."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Count
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from accounts.admin.read_only import ReadOnly
from accounts.models import Club, ClubAuditRow, Membership
from config.admin_site import DeclaredLookups


@admin.register(Club)
class ClubAdmin(ReadOnly, DeclaredLookups[Club]):
    """Clubs; staff with the right to change clubs act as owners on the club's own pages."""

    list_display = ("name", "members", "takes_requests", "made_at", "page")
    search_fields = ("name", "slug")
    ordering = ("name",)

    def with_live_facts(self, rows: Any) -> list[Any]:
        """Give each club of a list the number of its members."""
        clubs: list[Any] = list(rows)
        members = Membership.objects.filter(club__in=clubs).order_by().values("club")
        counts = dict(members.annotate(count=Count("pk")).values_list("club", "count"))
        for club in clubs:
            club.members_counted = counts.get(club.pk, 0)
        return clubs

    @admin.display(description=_("members"))
    def members(self, club: Any) -> int:
        """Return the number of members."""
        return int(club.members_counted)

    @admin.display(description=_("page"))
    def page(self, club: Club) -> str:
        """Return a link to the club's own page."""
        return format_html('<a href="{}">{}</a>', reverse("club", args=[club.slug]), club.slug)


@admin.register(ClubAuditRow)
class ClubAuditAdmin(ReadOnly, DeclaredLookups[ClubAuditRow]):
    """Steps in clubs with actor, subject and details."""

    list_display = ("id", "at", "club", "action", "actor", "subject", "details")
    list_filter = ("action",)
    list_select_related = ("club", "actor", "subject")
    search_fields = ("club__name", "=actor__name", "=subject__name")
