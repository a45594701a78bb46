"""Audiences of club tournaments: who watches, enters, lists and manages one."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from accounts.clubs import rules, steps
from accounts.models import Membership, User
from tournaments import club_people
from tournaments.models import Guest, Tournament
from tournaments.models.audience import Audience
from tournaments.refusals import GuestsOnly, MembersOnly, SeatsMembersAlone

MANAGED = frozenset(
    f"tournaments.{right}"
    for right in ("view_tournament", "run_tournament", "rule_players", "message_players")
)
"""Permissions of staff that managers of a club have for its tournaments."""

SEATS = "tournaments.rule_players"
"""Permission of staff that seats every player."""


def watchers(tournament: Tournament, users: Collection[int]) -> set[int] | None:
    """Return which of these users the club lets watch; None when everybody may."""
    if tournament.is_listed:
        return None
    return club_people.audience_of(tournament, users, tournament.watched_by)


def may_manage(user: object, tournament: Tournament, *rights: str) -> bool:
    """Return whether a user runs a tournament: by a staff right, or as manager of its club."""
    if not isinstance(user, User) or not user.is_active:
        return False
    if user.is_staff and any(user.has_perm(right) for right in rights):
        return True
    if tournament.club is None or not MANAGED & set(rights):
        return False
    return rules.may_manage(steps.role_of(user, tournament.club))


def validate_entry(user: User, tournament: Tournament) -> None:
    """Refuse an entry of a player outside the audience; raises MembersOnly or GuestsOnly."""
    if tournament.club is None or not club_people.shut_out(tournament, [user.pk]):
        return
    raise (
        MembersOnly(tournament.club.name)
        if (tournament.entered_by == Audience.MEMBERS)
        else GuestsOnly
    )


def validate_seating(actor: User, user: User, tournament: Tournament) -> None:
    """Refuse an entry that a manager would buy with the money of a player who is no member.

    Whoever joins a club lets its managers do that; guests are named without being asked. Raises
    SeatsMembersAlone.
    """
    club = tournament.club
    if club is None or user == actor or (actor.is_staff and actor.has_perm(SEATS)):
        return
    if not club.memberships.filter(user=user).exists():
        raise SeatsMembersAlone(user.name, club.name)


def closed_to(user: User, tournaments: Iterable[tuple[int, int, str]]) -> set[int]:
    """Return which tournaments, as (id, club, entered_by), take no entry of a user."""
    rows = [row for row in tournaments if row[2] != Audience.EVERYBODY]
    if not rows:
        return set()
    own = Membership.objects.filter(user=user, club__in={club for _, club, _ in rows})
    roles = dict(own.values_list("club_id", "role"))
    invited = set(
        Guest.objects.filter(user=user, tournament__in=[pk for pk, _, _ in rows]).values_list(
            "tournament_id", flat=True
        )
    )
    return {
        pk
        for pk, club, entered_by in rows
        if pk not in invited
        and not rules.may_manage(roles.get(club))
        and not (entered_by == Audience.MEMBERS and club in roles)
    }
