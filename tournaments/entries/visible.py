"""Tournaments that a user may see, as one query: the rule of `privacy.may_see` for lists."""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.clubs import steps
from accounts.models import ClubRole, User
from tournaments.entries.privacy import STAFF_RIGHT
from tournaments.models import Admission, Entry, Guest, Tournament
from tournaments.models.audience import Audience
from tournaments.models.tournament import SeenBy


def visible(user: User) -> QuerySet[Tournament]:
    """Return the tournaments that a user may see (T-02)."""
    rows = Tournament.objects.all()
    is_staff = user.is_staff and user.is_active
    if is_staff and user.has_perm(STAFF_RIGHT):
        return rows
    entries = Entry.objects.filter(tournament=OuterRef("pk"), user=user)
    entered = Exists(entries.exclude(state=Entry.State.UNREGISTERED))
    managed = Q(club__in=_clubs(user, ClubRole.OWNER, ClubRole.MANAGER))
    if is_staff and user.has_perm(steps.STAFF_RIGHT):
        managed |= Q(club__isnull=False)
    return rows.filter((_by_password(user) & _watched(user)) | managed | entered)


def open_to(*, members: bool) -> QuerySet[Tournament]:
    """Return the tournaments that everybody may see, with `members` every member of their club."""
    listed = Q(club__isnull=True) | Q(watched_by=Audience.EVERYBODY)
    if members:
        listed |= Q(watched_by=Audience.MEMBERS)
    unlocked = (
        Q(password="")  # nosec B106
        | Q(seen_by=SeenBy.EVERYBODY)
    )
    return Tournament.objects.filter(listed & unlocked)


def _by_password(user: User) -> Q:
    """Condition that the password does not keep a user from watching."""
    known = Admission.objects.filter(user=user).values("tournament__password")
    return (
        Q(password="")  # nosec B106
        | Q(seen_by=SeenBy.EVERYBODY)
        | Q(seen_by=SeenBy.KNOWN, password__in=known)
    )


def _watched(user: User) -> Q:
    """Condition that the club, if any, lets a user watch."""
    guests = Guest.objects.filter(tournament=OuterRef("pk"), user=user)
    members = Q(watched_by=Audience.MEMBERS, club__in=_clubs(user, *ClubRole))
    listed = Q(club__isnull=True) | Q(watched_by=Audience.EVERYBODY)
    return listed | members | Q(Exists(guests))


def _clubs(user: User, *roles: ClubRole) -> QuerySet[Any]:
    return user.memberships.filter(role__in=roles).values("club")
