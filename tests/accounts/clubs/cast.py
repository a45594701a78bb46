"""People and clubs of the tests."""

from __future__ import annotations

from accounts.clubs import invitations, members, profiles
from accounts.clubs.profiles import ClubProfile
from accounts.models import Club, ClubRole, User


def person(name: str) -> User:
    """Return the user of that name, created on first use."""
    found = User.objects.filter(name=name).first()
    return found or User.objects.create_user(name=name)


def club_of(owner: User, name: str = "River Rats", **profile: object) -> Club:
    """Make a club."""
    return profiles.make_club(owner, ClubProfile(name, **profile))  # type: ignore[arg-type]


def link_of(club: Club, owner: User, uses: int = 5, days: int = 7) -> str:
    """Make an invitation link and return its token."""
    return invitations.make_link(club, owner, uses=uses, days=days)[1]


def join(club: Club, owner: User, name: str, role: ClubRole = ClubRole.MEMBER) -> User:
    """Let a person join by a link of their own, with a role."""
    user = person(name)
    invitations.join(user, link_of(club, owner, 1))
    if role != ClubRole.MEMBER:
        members.change_role(club, owner, user, role)
    return user
