"""Notifications about tournaments: a near start, a club's new one, invitations, ending tickets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from accounts import money
from accounts.models import Membership, User
from accounts.notifications.kinds import Notice, NotificationKind
from accounts.notifications.models import Way
from config.refusals import marked as _
from tournaments.models import Entry, Guest, Ticket, Tournament
from tournaments.models.tournament import Start, State

START_MARKS = (timedelta(minutes=5), timedelta(minutes=15))
"""Times before a start at which it is told, the shortest first."""
NEW_FOR = timedelta(days=1)
TICKET_LAST = timedelta(days=1)
_AHEAD = (State.ANNOUNCED, State.REGISTERING)
_INVITED_TO = ("tournament__name", "tournament__starts_at", "tournament__club__name")


def near_starts(now: datetime) -> Iterable[tuple[Tournament, timedelta]]:
    """Return the tournaments that start soon, each with the mark it has passed last."""
    rows = Tournament.objects.filter(
        start=Start.SCHEDULED, state__in=_AHEAD, starts_at__gt=now
    ).filter(starts_at__lte=now + START_MARKS[-1])
    for row in rows.order_by("starts_at", "pk"):
        assert row.starts_at is not None
        left = row.starts_at - now
        yield row, next(mark for mark in START_MARKS if left <= mark)


def new_tournaments(now: datetime) -> QuerySet[Tournament]:
    """Return the tournaments announced lately that start later; no repeated ones."""
    rows = Tournament.objects.filter(start=Start.SCHEDULED, state__in=_AHEAD, follows=None)
    return rows.filter(created_at__gt=now - NEW_FOR, starts_at__gt=now).order_by("pk")


def start_words(tournament: Tournament, now: datetime) -> str:
    """Return the sentence of a start that is near, in the active language."""
    assert tournament.starts_at is not None
    count = max(1, round((tournament.starts_at - now).total_seconds() / 60))
    text = ngettext(
        "%(name)s starts in %(count)s minute.", "%(name)s starts in %(count)s minutes.", count
    )
    return text % {"name": tournament.name, "count": count}


def new_words(tournament: Tournament) -> str:
    """Return the sentence of a new tournament, in the active language."""
    values = {"name": tournament.name, "price": money.text(tournament.price)}
    return gettext("New tournament: %(name)s, price %(price)s.") % values


def _find_starts(now: datetime, users: QuerySet[User]) -> Iterator[Notice]:
    for tournament, mark in near_starts(now):
        assert tournament.starts_at is not None
        entries = Entry.objects.filter(tournament=tournament, user__in=users)
        # A player who registers later knows when it starts.
        known = entries.filter(registered_at__lte=tournament.starts_at - mark)
        registered = known.filter(state=Entry.State.REGISTERED)
        for user in set(registered.values_list("user_id", flat=True)):
            yield _start(tournament, mark, user, now)


def _start(tournament: Tournament, mark: timedelta, user: int, now: datetime) -> Notice:
    assert tournament.starts_at is not None

    def words() -> tuple[str, str]:
        return start_words(tournament, now), gettext("You are registered.")

    minutes = mark // timedelta(minutes=1)
    key = f"{tournament.pk}:{int(tournament.starts_at.timestamp())}:{minutes}"
    return Notice(user, key, words, _page(tournament), tournament.starts_at)


def _find_club_tournaments(now: datetime, users: QuerySet[User]) -> Iterator[Notice]:
    rows = new_tournaments(now).filter(club__isnull=False).select_related("club")
    for tournament in rows.only("name", "buy_in", "bounty", "fee", "starts_at", "club__name"):
        # Members know of every tournament of their club.
        members = Membership.objects.filter(club=tournament.club_id, user__in=users)
        for user in members.values_list("user_id", flat=True):
            yield _new(tournament, user)


def _new(tournament: Tournament, user: int) -> Notice:
    assert tournament.club is not None and tournament.starts_at is not None
    club = tournament.club.name

    def words() -> tuple[str, str]:
        return club, new_words(tournament)

    return Notice(user, str(tournament.pk), words, _page(tournament), tournament.starts_at)


def _find_invitations(now: datetime, users: QuerySet[User]) -> Iterator[Notice]:
    fresh = Guest.objects.filter(user__in=users, at__gt=now - NEW_FOR).order_by("pk")
    rows = fresh.filter(tournament__state__in=_AHEAD).select_related("tournament__club")
    # A club invites hundreds at once: their tournament is large, and each row would have its own.
    for guest in rows.only("user", "at", *_INVITED_TO):
        if (notice := _invitation(guest)).expires_at > now:
            yield notice


def _invitation(guest: Guest) -> Notice:
    tournament = guest.tournament
    assert tournament.club is not None
    values = {"name": tournament.name, "club": tournament.club.name}
    starts_at, asked_until = tournament.starts_at, guest.at + NEW_FOR

    def words() -> tuple[str, str]:
        return gettext("You are invited"), gettext("%(name)s, a tournament of %(club)s.") % values

    until = asked_until if starts_at is None else min(starts_at, asked_until)
    return Notice(guest.user_id, str(guest.pk), words, _page(tournament), until)


def _find_tickets(now: datetime, users: QuerySet[User]) -> Iterator[Notice]:
    last = Ticket.objects.filter(owner__in=users, state=Ticket.State.VALID)
    for ticket in last.filter(valid_until__gt=now, valid_until__lte=now + TICKET_LAST):
        yield _last_day(ticket)


def _last_day(ticket: Ticket) -> Notice:
    values = {"value": money.text(ticket.value), "scope": ticket.scope}

    def words() -> tuple[str, str]:
        text = gettext("Worth %(value)s, for %(scope)s. It is valid for less than a day.")
        return gettext("A ticket is about to expire"), text % values

    return Notice(ticket.owner_id, str(ticket.pk), words, reverse("tickets"), ticket.valid_until)


def _page(tournament: Tournament) -> str:
    return reverse("tournament", args=[tournament.pk])


STARTS_SOON = NotificationKind(
    name="start",
    title=_("Start of my tournament"),
    hint=_("15 and 5 minutes before"),
    ways=(Way.PUSH,),
    every_s=10,
    find=_find_starts,
)
CLUB_TOURNAMENT = NotificationKind(
    name="club",
    title=_("New tournament of my club"),
    hint=_("when it is announced, repeated ones once"),
    ways=(Way.PUSH, Way.MAIL),
    every_s=30,
    find=_find_club_tournaments,
    is_urgent=False,
)
INVITED = NotificationKind(
    name="invited",
    title=_("Invitation to a tournament"),
    hint=_("by a manager of its club"),
    ways=(Way.PUSH, Way.MAIL),
    every_s=30,
    find=_find_invitations,
    is_urgent=False,
)
TICKET_EXPIRES = NotificationKind(
    name="ticket",
    title=_("Ticket about to expire"),
    hint=_("on its last day"),
    ways=(Way.PUSH, Way.MAIL),
    every_s=300,
    find=_find_tickets,
    is_urgent=False,
)
KINDS = (STARTS_SOON, CLUB_TOURNAMENT, INVITED, TICKET_EXPIRES)
"""Kinds of notifications that tournaments register."""
