"""Access to seasons: readers, managers, and the tournaments that all readers may see."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from accounts.clubs import rules, steps
from accounts.models import Club, ClubRole, User
from tournaments.entries.privacy import STAFF_RIGHT
from tournaments.entries.visible import open_to
from tournaments.models import Tournament
from tournaments.seasons.models import Season

CHANGE_RIGHT = "seasons.change_season"
"""Permission with which staff make, change and delete seasons of the room."""

Audience = Season.SeasonAudience


def may_see(user: User | None, season: Season) -> bool:
    """Return whether a user may see a season: its page, table, panel, file and API answer."""
    return visible_seasons(user).filter(pk=season.pk).exists()


def visible_seasons(user: User | None) -> QuerySet[Season]:
    """Return the seasons that a user may see; members see those of their clubs."""
    rows = Season.objects.select_related("club")
    if user is None or not user.is_active:
        return rows.filter(audience=Audience.EVERYBODY)
    if user.is_staff and (user.has_perm(STAFF_RIGHT) or user.has_perm(steps.STAFF_RIGHT)):
        return rows
    own = user.memberships.values("club")
    return rows.filter(Q(audience=Audience.EVERYBODY) | Q(club__in=own))


def may_manage(user: User | None, club: Club | None) -> bool:
    """Return whether a user makes and changes seasons of a club, or of the room (None)."""
    if user is None or not user.is_active:
        return False
    if club is None:
        return user.is_staff and user.has_perm(CHANGE_RIGHT)
    return rules.may_manage(steps.role_of(user, club))


def makes_seasons(user: User) -> bool:
    """Return whether a user makes seasons of some club, or of the room."""
    if not user.is_active:
        return False
    if user.is_staff and (user.has_perm(CHANGE_RIGHT) or user.has_perm(steps.STAFF_RIGHT)):
        return True
    return user.memberships.filter(role__in=(ClubRole.OWNER, ClubRole.MANAGER)).exists()


def managed_seasons(user: User) -> QuerySet[Season]:
    """Return the seasons that a user may change."""
    rows = Season.objects.select_related("club")
    roles = (ClubRole.OWNER, ClubRole.MANAGER)
    allowed = Q(club__in=user.memberships.filter(role__in=roles).values("club"))
    if user.is_staff and user.is_active:
        if user.has_perm(CHANGE_RIGHT):
            allowed |= Q(club__isnull=True)
        if user.has_perm(steps.STAFF_RIGHT):
            allowed |= Q(club__isnull=False)
    return rows.filter(allowed)


def countable(season: Season) -> QuerySet[Tournament]:
    """Return the tournaments of a season's room or club that every reader of it may see.

    A table that differed by reader would tell of results that some of them may not see.
    """
    seen = open_to(members=season.audience == Audience.MEMBERS)
    return seen.filter(club=season.club_id)
