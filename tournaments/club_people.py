"""People of a club's tournament: its guests, the members of its club, and its managers."""

from __future__ import annotations

from collections.abc import Collection

from accounts.clubs import steps
from accounts.models import Membership
from tournaments.models import Guest, Tournament
from tournaments.models.audience import Audience


def audience_of(tournament: Tournament, users: Collection[int], audience: str) -> set[int]:
    """Return which of these users are invited or, where members are meant, members."""
    guests = Guest.objects.filter(tournament=tournament, user__in=users)
    found = set(guests.values_list("user_id", flat=True))
    if audience == Audience.MEMBERS:
        members = Membership.objects.filter(club=tournament.club_id, user__in=users)
        found |= set(members.values_list("user_id", flat=True))
    return found


def managers(tournament: Tournament, users: Collection[int]) -> set[int]:
    """Return which of these users manage the tournament's club."""
    if tournament.club_id is None:
        return set()
    return steps.managers_among(tournament.club_id, users)


def shut_out(tournament: Tournament, users: Collection[int]) -> set[int]:
    """Return which of these users are outside the audience that may enter a tournament."""
    if tournament.club_id is None or tournament.entered_by == Audience.EVERYBODY:
        return set()
    allowed = audience_of(tournament, users, tournament.entered_by)
    return set(users) - allowed - managers(tournament, users)
