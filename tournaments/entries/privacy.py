"""Access to private and club tournaments: viewers, players, and limited passwords (T-02)."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib.auth.hashers import check_password

from accounts.models import User
from accounts.users.password_tries import count_try
from config.postgres.statements import ANY_KEY, BuiltOnce
from tournaments import club_people
from tournaments.entries import audiences
from tournaments.models import Admission, Entry, Guest, Tournament
from tournaments.models.tournament import SeenBy, is_over
from tournaments.refusals import NoSuchTournament, WrongPassword

STAFF_RIGHT = "tournaments.view_tournament"
"""Permission with which staff see every tournament, as in the admin."""


def may_see(user: User | None, tournament: Tournament) -> bool:
    """Return whether a user may see a tournament: its page, tables, hands, clock and streams."""
    pk = None if user is None else user.pk
    allowed = admitted(tournament, {pk})
    return allowed is None or pk in allowed


def admitted(tournament: Tournament, users: Collection[int | None]) -> set[int] | None:
    """Return which of these users may see a tournament; None when it is public.

    The answer changes for a user, but a tournament never changes between None and a set.
    """
    known = [user for user in users if user is not None]
    rules = (_by_password(tournament, known), audiences.watchers(tournament, known))
    narrowed = [rule for rule in rules if rule is not None]
    if not narrowed:
        return None
    entries = Entry.objects.filter(tournament=tournament, user__in=known)
    allowed = set(entries.exclude(state=Entry.State.UNREGISTERED).values_list("user_id", flat=True))
    allowed |= set.intersection(*narrowed) | club_people.managers(tournament, known)
    staff = User.objects.filter(pk__in=set(known) - allowed, is_staff=True, is_active=True)
    return allowed | {member.pk for member in staff if member.has_perm(STAFF_RIGHT)}


def has_entered(tournament: int, user: int) -> bool:
    """Return whether a user has an entry in a tournament, out or not, that was not taken back."""
    return bool(_ENTERED.rows(tournament, user))


def may_list(user: User | None, tournament: Tournament) -> bool:
    """Return whether a user may know of a tournament: its name and its row in a lobby.

    Members know of every tournament of their club, also of those for invited players; guests know
    of theirs, also before they give its password.
    """
    if tournament.is_listed or may_see(user, tournament):
        return True
    if user is None or tournament.club_id is None:
        return False
    is_member = user.memberships.filter(club=tournament.club_id).exists()
    return is_member or Guest.objects.filter(tournament=tournament, user=user).exists()


def need_listed(user: User | None, tournament: int) -> None:
    """Raise NoSuchTournament for a tournament that a user may not know of, as for none."""
    row = Tournament.objects.filter(pk=tournament).first()
    if row is None or not may_list(user, row):
        raise NoSuchTournament


def plays_in(tournament: int, user: int) -> bool:
    """Return whether a user has an entry, live or lost, in a tournament that is not over."""
    entries = Entry.objects.filter(tournament=tournament, user=user)
    entries = entries.exclude(state=Entry.State.UNREGISTERED)
    return entries.exclude(is_over("tournament__")).exists()


def knows_password(user: User, tournament: Tournament) -> bool:
    """Return whether a user gave the password here or at a tournament with the same hash."""
    return bool(_knowing(tournament, [user.pk]))


def admit(user: User, tournament: Tournament, password: str | None, address: str = "") -> None:
    """Admit a user to a private tournament by its password.

    Each attempt is counted before hashing, by user and by `address` (empty or unknown: not
    counted). Raises TooManyTries or WrongPassword before any change.
    """
    if knows_password(user, tournament):
        return
    if not password:
        raise WrongPassword
    count_try(user.pk, address)
    if not check_password(password, tournament.password):
        raise WrongPassword(given=True)
    Admission.objects.get_or_create(user=user, tournament=tournament)


def _by_password(tournament: Tournament, known: Collection[int]) -> set[int] | None:
    """Return which users the password admits to watch; None when it keeps nobody out."""
    if not tournament.password or tournament.seen_by == SeenBy.EVERYBODY:
        return None
    if tournament.seen_by == SeenBy.KNOWN:
        return _knowing(tournament, known)
    return set()


def _knowing(tournament: Tournament, users: Collection[int]) -> set[int]:
    # Repeated tournaments and those of one template share one salted hash, unlike any other.
    rows = Admission.objects.filter(user__in=users, tournament__password=tournament.password)
    return set(rows.values_list("user_id", flat=True))


_ENTERED = BuiltOnce(
    lambda tournament, user: (
        Entry.objects.filter(tournament=tournament, user=user)
        .exclude(state__in=Entry.TAKEN_BACK)
        .values_list("pk")[:1]
    ),
    ANY_KEY,
    ANY_KEY + 1,
)
