"""The page of a club: its tournaments, announcements, and the ways in and out."""

from __future__ import annotations

from collections.abc import Collection

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from accounts.clubs import announcing, requests, rules
from accounts.clubs.profiles import visible_clubs
from accounts.clubs.steps import role_of
from accounts.models import JoinRequest, User
from accounts.pages.clubs.access import club_page
from tables.chat.authority import may_moderate
from tables.ring.queries import lobby as ring_lobby
from tournaments.models import Entry, Guest
from tournaments.models.audience import Audience
from tournaments.pages.lobby import visitor
from tournaments.queries import lobby_rows
from tournaments.seasons.access import visible_seasons


@never_cache
@require_GET
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club: to everybody its description, to members its announcements.

    Members see the rows of all its tournaments, others of those that everybody watches, that they
    have entered or that they are guests of.
    """
    user = visitor(request)
    found = get_object_or_404(visible_clubs(user), slug=slug)
    role = role_of(user, found)
    asked = JoinRequest.objects.filter(club=found, user=user, state=JoinRequest.State.OPEN)
    invited = Guest.objects.filter(user=user, tournament__club=found)
    guest_of = set(invited.values_list("tournament_id", flat=True))
    rows = lobby_rows.of_clubs([found.pk], user)
    if role is None:
        known = guest_of | _entered(user, [row.summary.tournament for row in rows])
        rows = [
            row
            for row in rows
            if row.summary.watched_by == Audience.EVERYBODY or row.summary.tournament in known
        ]
    context = {
        "members_count": found.memberships.count(),
        "is_member": found.memberships.filter(user=user).exists(),
        "rows": rows,
        "ring_rows": ring_lobby.rows(user, found.pk),
        "stream": found.member if role else "",
        "has_chat": settings.CHAT and role is not None,
        "moderates_chat": may_moderate(user, f"clubchat:{found.pk}"),
        "announcements": announcing.newest(found) if role else [],
        "seasons": list(visible_seasons(user).filter(club=found)),
        "waiting": requests.count_open(found) if rules.may_manage(role) else 0,
        "asked": user is not None and asked.exists(),
    }
    return club_page(request, "clubs/club.html", found, **context)


def _entered(user: User | None, tournaments: Collection[int]) -> set[int]:
    """Return which of these tournaments a visitor watches by an entry, live or out."""
    entries = Entry.objects.filter(user=user, tournament__in=tournaments)
    kept = entries.exclude(state=Entry.State.UNREGISTERED)
    return set(kept.values_list("tournament_id", flat=True))
