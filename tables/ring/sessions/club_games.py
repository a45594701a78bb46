"""Ring games of clubs: managers open and run them; former members leave them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from accounts.clubs.profiles import checked_text
from accounts.clubs.steps import ClubStep, acts_for_room, club_step, is_staff_of_clubs
from accounts.models import Club, User
from config import limits
from tables.ring.models import RingGame, RingSession, WaitingPlayer
from tables.ring.models.session import LIVE
from tables.ring.refusals import HeldByRoom, NoSuchRingGame, PlayerHasLeft, TooManyClubGames
from tables.ring.sessions import audit, leaving, locks, operating

NAME_MAX = 60
REMOVED = "removed from the club"
"""Reason of the audit row of a player who loses the seat with the membership."""
STEPS: dict[str, Callable[..., object]] = {
    "open_table": operating.open_one_more,
    "freeze": operating.freeze,
    "unfreeze": operating.unfreeze,
    "close": operating.close_after_hand,
}
"""Name of a manager's step -> the operation of the room."""


def open_club_game(club: Club, actor: User, *, name: str, **terms: Any) -> RingGame:
    """Open a ring game of a club by a manager; `terms` as of `operating.open_game`.

    Raises NotForRole, TooManyClubGames, ClubRefused for a name with hidden signs, or Refusal for
    terms that contradict each other.
    """
    shown = " ".join(checked_text(name, "name", NAME_MAX).split())
    with club_step(club, actor) as step:
        step.need_manager()
        games = RingGame.objects.filter(club=step.club).exclude(state=RingGame.State.CLOSED)
        if games.count() >= limits.CLUB_RING_GAMES_MAX:
            raise TooManyClubGames(most=limits.CLUB_RING_GAMES_MAX)
        game = operating.open_game(club=step.club, name=shown, **terms)
        step.record("ring_game", None, game=game.pk, name=game.name)
    return game


def take_step(club: Club, actor: User, game: int, step: str, reason: str) -> None:
    """Take one of STEPS on a game of the club.

    Raises NotForRole, NoSuchRingGame, HeldByRoom for a manager who lets a game go on that staff of
    the room paused, and refusals of the step.
    """
    with club_step(club, actor) as lock:
        lock.need_manager()
        _need_own(lock, game)
        # Locked before it is read: staff may pause the game at this moment.
        ends_pause = step == "unfreeze" and not is_staff_of_clubs(actor)
        if ends_pause and audit.is_held_by_room(locks.game(game).pk):
            raise HeldByRoom
        # Staff who are no managers of the club pause for the room, as in the admin.
        paused_by = {"by_room": acts_for_room(actor, lock.club)} if step == "freeze" else {}
        STEPS[step](actor, game, reason, **paused_by)


def kick(club: Club, actor: User, game: int, session: int, reason: str) -> RingSession:
    """Let a player leave a game of the club after the hand, with the stack; raises as `take_step`.

    Raises PlayerHasLeft for a session of another game.
    """
    with club_step(club, actor) as lock:
        lock.need_manager()
        _need_own(lock, game)
        if not RingSession.objects.filter(pk=session, game=game).exists():
            raise PlayerHasLeft
        return operating.kick(actor, session, reason)


def end_places(club: Club, user: User, by: User) -> None:
    """Let a former member leave the club's games: after the hand in play, with the stack.

    The removal of a member is a kick from each game, of which the player is told.
    """
    seated = RingSession.objects.filter(game__club=club, user=user, state__in=LIVE)
    for pk in seated.order_by("table").values_list("pk", flat=True):
        try:
            session = locks.live_session(pk)
        except PlayerHasLeft:  # the table has freed the seat meanwhile
            continue
        if by != user and not session.leaving:
            audit.write(by, "kick", REMOVED, session.game, session)
        leaving.end(session)
    for place in WaitingPlayer.objects.filter(game__club=club, user=user):
        if place.offered_table_id is not None:
            locks.wake_after_commit(place.offered_table_id)
        place.delete()


def _need_own(lock: ClubStep, game: int) -> None:
    if not RingGame.objects.filter(pk=game, club=lock.club).exists():
        raise NoSuchRingGame
