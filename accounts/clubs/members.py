"""Members of a club: admitting, promoting, removing and leaving."""

from __future__ import annotations

from accounts.clubs import departures, rules
from accounts.clubs.refusals import AlreadyMember, ClubFull, LastOwner, NotForRole
from accounts.clubs.steps import ClubStep, club_step, need_few_clubs
from accounts.models import Club, ClubRole, JoinRequest, Membership, User
from config import limits

REMOVE = "remove"
"""Audit action of a removal; invitation links made before it do not let the player back in."""


def admit(step: ClubStep, user: User, action: str, **details: object) -> Membership:
    """Make a user a member of a locked club; close an open request of the user.

    Raises AlreadyMember, ClubFull, or AccountDeleted.
    """
    step.hold_user(user)
    if Membership.objects.filter(club=step.club, user=user).exists():
        raise AlreadyMember
    if step.club.memberships.count() >= limits.CLUB_MEMBERS_MAX:
        raise ClubFull(limits.CLUB_MEMBERS_MAX)
    waiting = JoinRequest.objects.filter(club=step.club, user=user, state=JoinRequest.State.OPEN)
    waiting.update(state=JoinRequest.State.JOINED)
    step.record(action, user, **details)
    return Membership.objects.create(club=step.club, user=user)


def change_role(club: Club, actor: User, user: User | int, role: ClubRole) -> Membership:
    """Give a member another role, by an owner.

    Raises NotForManagers, NotMember, LastOwner, or TooManyClubs for one more club of an owner.
    """
    with club_step(club, actor) as step:
        step.need_owner()
        row = step.membership(user)
        if row.role == role:
            return row
        if role == ClubRole.OWNER:
            # Whoever sits down locks the membership first, then the user.
            Membership.objects.select_for_update(no_key=True).get(pk=row.pk)
            need_few_clubs(row.user)
        _keep_an_owner(row)
        step.record("role", row.user, before=row.role, after=role)
        row.role = role
        row.save(update_fields=["role"])
    return row


def remove(club: Club, actor: User, user: User | int) -> Membership:
    """End a member's membership by a manager or owner.

    Entries in tournaments that the member has bought stay, seats in the club's ring games end
    after their hands; open sockets lose the club's streams. Raises NotForRole, NotMember or
    LastOwner.
    """
    with club_step(club, actor) as step:
        role = step.need_manager()
        row = step.membership(user)
        if not rules.may_remove(role, row.role):
            raise NotForRole
        _end(step, row, REMOVE)
    return row


def leave(club: Club, user: User) -> Membership:
    """End one's own membership; raise NotMember or LastOwner."""
    with club_step(club, user) as step:
        row = step.membership(user)
        _end(step, row, "leave")
    return row


def has_successor(row: Membership) -> bool:
    """Return whether the club keeps an owner whose account is open without this member."""
    others = row.club.memberships.filter(role=ClubRole.OWNER, user__is_active=True)
    return rules.leaves_an_owner(row.role, 1 + others.exclude(pk=row.pk).count())


def _end(step: ClubStep, row: Membership, action: str) -> None:
    _keep_an_owner(row)
    step.record(action, row.user, role=row.role)
    row.delete()
    departures.end_places(step.club, row.user, step.actor)


def _keep_an_owner(row: Membership) -> None:
    """Refuse to lose the last owner; the club's lock makes the count exact."""
    if not has_successor(row):
        raise LastOwner
