"""Records of tournaments to browse: entries, moves, knock-outs, announcements, audit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.db.models import Field
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.translation import gettext_lazy as _

from accounts import money
from accounts.admin.read_only import ReadOnly
from config.admin_site import DeclaredLookups, LatestRelated, LatestValues
from tournaments.admin.rulings import RULE
from tournaments.models import Announcement, AuditRow, Entry, KnockOut, Move


def _in_major_units(name: str) -> Callable[[Entry], str]:
    """Return the column of a field of money, under the words of the field."""

    field = Entry._meta.get_field(name)
    assert isinstance(field, Field)

    @admin.display(description=field.verbose_name)
    def shown(entry: Entry) -> str:
        return money.text(getattr(entry, name))

    shown.__name__ = f"{name}_text"
    return shown


_AMOUNTS = {
    name: _in_major_units(name)
    for name in (
        *("paid_buy_in", "paid_fee", "paid_bounty", "paid_bonus"),
        *("head", "bounties_won", "prize"),
    )
}
"""Fields of an entry that hold cents, each with its column."""


@admin.register(Entry)
class EntryAdmin(ReadOnly, DeclaredLookups[Entry]):
    """Entries with their places and prizes."""

    list_display = ("id", "tournament", "number", "name", "state", "place", "prize_text")
    list_filter = ("state", ("tournament", LatestRelated))
    list_select_related = ("tournament",)
    search_fields = ("name", "=tournament__id", "=user__id")
    ordering = ("-id",)

    @admin.display(description=_("prize"), ordering="prize")
    def prize_text(self, entry: Entry) -> str:
        """Return the prize in major units."""
        return money.text(entry.prize)

    def get_fields(self, request: HttpRequest, obj: Entry | None = None) -> Any:
        """Return every field, those of money in major units."""
        names = super().get_fields(request, obj)
        return [_AMOUNTS.get(name, name) if isinstance(name, str) else name for name in names]

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether the user sees entries; whoever rules on them does it from here."""
        return request.user.has_perm(RULE) or super().has_view_permission(request, obj)

    def get_list_display(self, request: HttpRequest) -> Any:
        """Return the columns, with links to rulings for users with that right (T-15)."""
        return (*self.list_display, _rule) if request.user.has_perm(RULE) else self.list_display


@admin.display(description=_("rule"))
def _rule(entry: Entry) -> str:
    """Links to possible rulings about a registered player (T-06) or one in play (T-15)."""
    if entry.state == Entry.State.REGISTERED:
        links = [(reverse("admin:tournaments_take_out", args=[entry.pk]), _("Take out"))]
    elif entry.state == Entry.State.SEATED:
        links = [
            (reverse("admin:tournaments_move", args=[entry.pk]), _("Move")),
            (reverse("admin:tournaments_disqualify", args=[entry.pk]), _("Disqualify")),
        ]
    else:
        return "–"
    return format_html_join(" · ", '<a href="{}">{}</a>', links)


@admin.register(Move)
class MoveAdmin(ReadOnly, DeclaredLookups[Move]):
    """Moves: from table, to table, chips (T-08)."""

    list_display = (
        *("id", "tournament", "entry", "reason", "state"),
        *("from_table", "from_seat", "to_table", "to_seat", "chips", "decided_at"),
    )
    list_filter = ("reason", "state")
    list_select_related = ("tournament", "entry", "from_table", "to_table")
    search_fields = ("entry__name", "=tournament__id")
    ordering = ("-id",)


@admin.register(KnockOut)
class KnockOutAdmin(ReadOnly, DeclaredLookups[KnockOut]):
    """Knock-outs with their hands (T-07)."""

    list_display = ("id", "tournament", "entry", "order", "round", "table", "hand", "stack", "at")
    list_select_related = ("tournament", "entry", "table")
    search_fields = ("entry__name", "=tournament__id")
    ordering = ("-id",)


@admin.register(Announcement)
class AnnouncementAdmin(ReadOnly, DeclaredLookups[Announcement]):
    """Events of the streams of tournaments, users and the lobby."""

    list_display = ("id", "stream", "seq", "event", "published", "at")
    list_filter = ("published",)
    search_fields = ("=stream",)
    fields = ("stream", "seq", "event", "published", "at")
    ordering = ("-id",)

    @admin.display(description=_("event"))
    def event(self, announcement: Announcement) -> str:
        """Return the event as JSON."""
        return bytes(announcement.payload).decode()


@admin.register(AuditRow)
class AuditRowAdmin(ReadOnly, DeclaredLookups[AuditRow]):
    """Actions with actor and reason."""

    list_display = ("id", "at", "tournament", "actor", "action", "reason")
    list_filter = (("action", LatestValues),)
    list_select_related = ("tournament", "actor")
    search_fields = ("=tournament__id", "actor__name", "reason")
    ordering = ("-id",)
