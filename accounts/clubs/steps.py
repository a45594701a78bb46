"""One step in a club: its locked row, the actor's right, and the audit row."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import transaction

from accounts.clubs import rules
from accounts.clubs.refusals import NotForManagers, NotForRole, NotMember, TooManyClubs
from accounts.models import Club, ClubAuditRow, ClubRole, Membership, User
from accounts.refusals import AccountDeleted
from config import limits

STAFF_RIGHT = "accounts.change_club"
"""Permission with which staff act as an owner of every club."""


def is_staff_of_clubs(user: User) -> bool:
    """Return whether a user acts as an owner of every club by the staff right."""
    return user.is_active and user.is_staff and user.has_perm(STAFF_RIGHT)


def acts_for_room(user: User, club: Club) -> bool:
    """Return whether a user manages a club by the staff right alone, not by a role of its own."""
    if not is_staff_of_clubs(user):
        return False
    own = Membership.objects.filter(club=club, user=user)
    return not any(rules.may_manage(role) for role in own.values_list("role", flat=True))


def role_of(user: User | None, club: Club) -> str | None:
    """Return the role with which a user acts in a club; None for an outsider."""
    if user is None or not user.is_active:
        return None
    if is_staff_of_clubs(user):
        return ClubRole.OWNER
    return Membership.objects.filter(club=club, user=user).values_list("role", flat=True).first()


def managers_among(club: int, users: Collection[int]) -> set[int]:
    """Return which of these users manage a club by role, or by the staff right."""
    rows = Membership.objects.filter(
        club=club, user__in=users, role__in=(ClubRole.OWNER, ClubRole.MANAGER)
    )
    staff = User.objects.filter(pk__in=users, is_staff=True, is_active=True)
    found = set(rows.values_list("user_id", flat=True))
    return found | {user.pk for user in staff if user.has_perm(STAFF_RIGHT)}


def need_few_clubs(user: User) -> None:
    """Refuse one more club to a player who owns the most allowed; raises TooManyClubs.

    The player's row is locked, so that steps at the same time, of whichever clubs, count each
    other; a step that locks its club as well locks the club first.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    owned = Membership.objects.filter(user=user, role=ClubRole.OWNER).count()
    if owned >= limits.CLUBS_OWNED_MAX:
        raise TooManyClubs(limits.CLUBS_OWNED_MAX)


@dataclass(frozen=True, slots=True)
class ClubStep:
    """A step of `actor` in a locked club; everything in it is committed together."""

    club: Club
    actor: User

    def need_manager(self) -> str:
        """Return the actor's role; raise NotForRole for members and outsiders."""
        role = role_of(self.actor, self.club)
        if role is None or not rules.may_manage(role):
            raise NotForRole
        return role

    def need_owner(self) -> None:
        """Raise NotForManagers for everybody but owners."""
        if not rules.may_change_roles(role_of(self.actor, self.club)):
            raise NotForManagers

    def membership(self, user: User | int) -> Membership:
        """Return a user's membership; raise NotMember for an outsider."""
        number = user.pk if isinstance(user, User) else user
        rows = Membership.objects.filter(club=self.club, user=number).select_related("user")
        found = rows.first()
        if found is None:
            raise NotMember
        return found

    def hold_user(self, user: User) -> None:
        """Lock a user until the end of the step, so that the account's deletion waits.

        Club, membership, user, request is the order of locks in every step and in a deletion.
        Raises AccountDeleted for an account that was deleted while this waited.
        """
        if User.objects.select_for_update(no_key=True).get(pk=user.pk).deleted_at is not None:
            raise AccountDeleted

    def record(self, action: str, subject: User | None = None, **details: object) -> None:
        """Add the audit row of the step."""
        ClubAuditRow.objects.create(
            club=self.club, actor=self.actor, subject=subject, action=action, details=details
        )


@contextmanager
def club_step(club: Club | int, actor: User) -> Iterator[ClubStep]:
    """Lock a club for one step; a refusal inside leaves everything as it was."""
    number = club.pk if isinstance(club, Club) else club
    with transaction.atomic():
        # Every change of a club's people waits here, so that counts and last owners are exact.
        yield ClubStep(Club.objects.select_for_update().get(pk=number), actor)
