"""People of a club's tournament: its guests, the members of its club, and its managers."""

from __future__ import annotations

from collections.abc import Collection

from accounts.clubs import rules, steps
from accounts.models import Membership, User
from tournaments.models import Guest, Tournament
from tournaments.models.audience import Audience
from tournaments.refusals import TournamentHeldByRoom

BY_ROOM = "by_room"
"""Detail of the audit row of a pause that only staff of the room end."""

_RUN = "tournaments.run_tournament"


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


def is_room_staff(user: User | None) -> bool:
    """Return whether a user runs the tournaments of every club for the room; nobody is the room."""
    if user is None or steps.is_staff_of_clubs(user):
        return True
    return user.is_active and user.is_staff and user.has_perm(_RUN)


def acts_for_room(tournament: Tournament, user: User | None) -> bool:
    """Return whether a user runs a club's tournament for the room alone, with no role in the club.

    False for a tournament of the room, which has no managers.
    """
    if tournament.club_id is None or not is_room_staff(user):
        return False
    own = Membership.objects.filter(club=tournament.club_id, user=user)
    return not any(rules.may_manage(role) for role in own.values_list("role", flat=True))


def is_held_by_room(tournament: Tournament) -> bool:
    """Return whether staff of the room paused a club's tournament, and nobody resumed it since."""
    last = tournament.audit.filter(action__in=("pause", "resume")).order_by("-pk").first()
    return last is not None and last.action == "pause" and BY_ROOM in last.details


def require_resumable(tournament: Tournament, user: User | None) -> None:
    """Raise TournamentHeldByRoom for a manager who would end a pause of staff."""
    if tournament.club_id is None or is_room_staff(user):
        return
    if is_held_by_room(tournament):
        raise TournamentHeldByRoom
