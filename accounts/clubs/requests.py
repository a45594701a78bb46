"""Requests to join a club: asked by a player, taken back, or answered once by a manager."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import QuerySet
from django.utils import timezone

from accounts.clubs import members
from accounts.clubs.profiles import checked_text
from accounts.clubs.refusals import (
    AlreadyMember,
    NoRequests,
    RequestedAlready,
    RequestedTooOften,
    RequestOver,
)
from accounts.clubs.steps import club_step
from accounts.models import Club, ClubAuditRow, JoinRequest, Membership, User
from config import limits

ASK = "ask"
"""Audit action of a request."""

_State = JoinRequest.State


def ask(club: Club, user: User, text: str = "") -> JoinRequest:
    """Ask to join a club, with a few words to its managers; raises a refusal.

    Each request leaves rows in the club's record for good, also one that is taken back: a player
    asks a club a few times a day.
    """
    text = checked_text(text, "text", limits.CLUB_REQUEST_MAX_CHARACTERS)
    with club_step(club, user) as step:
        step.hold_user(user)
        if not step.club.takes_requests:
            raise NoRequests
        if Membership.objects.filter(club=step.club, user=user).exists():
            raise AlreadyMember
        own = JoinRequest.objects.filter(user=user)
        here = own.filter(club=step.club)
        if here.filter(state=_State.OPEN).exists():
            raise RequestedAlready
        again_at = timezone.now() - timedelta(seconds=limits.CLUB_REQUEST_AGAIN_S)
        refused = here.filter(state=_State.REFUSED, answered_at__gt=again_at).exists()
        if refused or own.filter(state=_State.OPEN).count() >= limits.CLUB_REQUESTS_OPEN_MAX:
            raise RequestedTooOften
        asked = ClubAuditRow.objects.filter(
            club=step.club, subject=user, action=ASK, at__gt=again_at
        )
        if asked.count() >= limits.CLUB_REQUESTS_A_DAY_MAX:
            raise RequestedTooOften
        step.record(ASK, user)
        return JoinRequest.objects.create(club=step.club, user=user, text=text)


def answer(club: Club, actor: User, request: int, *, accept: bool) -> JoinRequest:
    """Accept or refuse a request by a manager; raise NotForRole, RequestOver, ClubFull, or
    AccountDeleted for a player whose account was deleted meanwhile.
    """
    with club_step(club, actor) as step:
        step.need_manager()
        rows = JoinRequest.objects.filter(club=step.club, pk=request).select_related("user")
        if (asked := rows.first()) is None:
            raise RequestOver
        step.hold_user(asked.user)
        row = rows.first()  # again, behind the lock: a deleted account has no requests
        if row is None or row.state != _State.OPEN:
            raise RequestOver
        row.state = _State.ACCEPTED if accept else _State.REFUSED
        row.answered_at = timezone.now()
        row.save(update_fields=["state", "answered_at"])
        if accept:
            members.admit(step, row.user, "accept", request=row.pk)
        else:
            step.record("refuse", row.user, request=row.pk)
    return row


def withdraw(club: Club, user: User) -> None:
    """Take an open request back, so that it no longer counts; raise RequestOver without one."""
    with club_step(club, user) as step:
        step.hold_user(user)
        rows = JoinRequest.objects.filter(club=step.club, user=user, state=_State.OPEN)
        if not rows.delete()[0]:
            raise RequestOver
        step.record("unask", user)


def open_requests(club: Club) -> list[JoinRequest]:
    """Return the first of the requests that wait for an answer, the oldest first."""
    rows = _waiting(club).select_related("user").order_by("pk")
    return list(rows[: limits.CLUB_ROWS_PER_PAGE])


def count_open(club: Club) -> int:
    """Return the number of requests that wait for an answer."""
    return _waiting(club).count()


def _waiting(club: Club) -> QuerySet[JoinRequest]:
    return JoinRequest.objects.filter(club=club, state=_State.OPEN, user__is_active=True)
