"""Audiences of ring games: who knows of one, watches its tables, and sits down there."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Q, QuerySet

from accounts.clubs import steps
from accounts.models import Membership, User
from tables.ring.models import RingGame, RingSession
from tables.ring.models.session import LIVE
from tables.ring.refusals import NoSuchRingGame, RingMembersOnly

STAFF_RIGHT = "ring.view_ringgame"
"""Permission with which staff see every club's ring games, as in the admin."""
_LISTED = Q(club__isnull=True) | Q(watched_by=RingGame.WatchedBy.EVERYBODY)


def admitted_to(game: int, users: Collection[int | None]) -> set[int] | None:
    """Return which of these users may see the tables of a game; None when it is public.

    A private game is seen by its players, a game for members by members of its club, both by
    players who sit there, managers of the club and staff with STAFF_RIGHT, as is the room's own.
    """
    row = RingGame.objects.only("password", "club", "watched_by").filter(pk=game).first()
    if row is None or (row.is_listed and not row.password):
        return None
    known = [user for user in users if user is not None]
    played = RingSession.objects.filter(game=game, user__in=known)
    allowed = set(known)
    if row.password:
        allowed &= set(played.values_list("user_id", flat=True))
    if not row.is_listed:
        members = Membership.objects.filter(club=row.club_id, user__in=known)
        allowed &= set(members.values_list("user_id", flat=True))
    allowed |= set(played.filter(state__in=LIVE).values_list("user_id", flat=True))
    if row.club_id is not None:
        allowed |= steps.managers_among(row.club_id, known)
    staff = User.objects.filter(pk__in=set(known) - allowed, is_staff=True, is_active=True)
    return allowed | {user.pk for user in staff if user.has_perm(STAFF_RIGHT)}


def listable(user: User | None) -> QuerySet[RingGame]:
    """Return the games that a user, or a visitor without a log-in (None), may know of."""
    if user is None:
        return RingGame.objects.filter(_LISTED)
    if user.is_active and user.is_staff and _has_right(user):
        return RingGame.objects.all()
    live = RingSession.objects.filter(user=user, state__in=LIVE)
    inside = Q(club__in=user.memberships.values("club")) | Q(pk__in=live.values("game"))
    return RingGame.objects.filter(_LISTED | inside)


def knows_more(user: User) -> bool:
    """Return whether a user may know of an open game that is not for everybody."""
    games = listable(user).exclude(_LISTED)
    return games.exclude(state=RingGame.State.CLOSED).exists()


def club_of(game: int) -> int | None:
    """Return the club of a game, whose managers moderate the chats of its tables."""
    return RingGame.objects.filter(pk=game).values_list("club", flat=True).first()


def outside(user: User | None, games: Collection[RingGame]) -> set[int]:
    """Return the keys of these games at which a user cannot sit down, as no member of the club."""
    clubs = {game.club_id for game in games if game.club_id is not None}
    if not clubs:
        return set()
    own = (
        set(user.memberships.filter(club__in=clubs).values_list("club", flat=True)) if user else ()
    )
    return {game.pk for game in games if game.club_id is not None and game.club_id not in own}


def need_member(user: User, game: RingGame) -> None:
    """Refuse a seat of a locked game to players who are no members of its club.

    The membership is locked until the end of the transaction: whoever ends it waits, and then
    ends the seat as well. Raises RingMembersOnly, or NoSuchRingGame for a game that the player
    may not know of.
    """
    if game.club is None:
        return
    rows = Membership.objects.select_for_update(no_key=True)
    if rows.filter(club=game.club, user=user).first() is not None:
        return
    if not listable(user).filter(pk=game.pk).exists():
        raise NoSuchRingGame
    raise RingMembersOnly(game.club.name)


def _has_right(user: User) -> bool:
    return user.has_perm(STAFF_RIGHT) or user.has_perm(steps.STAFF_RIGHT)
