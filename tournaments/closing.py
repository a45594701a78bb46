"""Until when entries and chips are sold, and when nothing is sold any more (E-01, E-04, E-07)."""

from __future__ import annotations

from config import clock
from tournaments.announcements import Outbox
from tournaments.announcements import tournament as stream_of
from tournaments.client_events import EntriesClosed, RebuysClosed
from tournaments.engine import entries, levels
from tournaments.engine.entries import Course
from tournaments.engine.structure import Level
from tournaments.models import Offer, Tournament
from tournaments.models.buying import LateEnds


def begin(tournament: Tournament) -> None:
    """The tournament starts: what it sells from now on is open; the caller saves it."""
    tournament.entries_open = tournament.late_ends != LateEnds.NEVER_OPEN
    tournament.rebuys_open = tournament.rebuys_max > 0 or tournament.add_on


def review(tournament: Tournament, outbox: Outbox) -> None:
    """Close what ends by its setting now, or with hand-for-hand; nothing ever opens again."""
    at = course(tournament)
    if tournament.entries_open and not entries.entries_open(tournament.late, at):
        _close_entries(tournament, outbox)
    if tournament.rebuys_open and not _period_lasts(tournament, at):
        _close_rebuys(tournament, outbox)


def stop(tournament: Tournament, outbox: Outbox) -> None:
    """Close everything at once: somebody has won, or the room ends it."""
    if tournament.entries_open:
        _close_entries(tournament, outbox)
    if tournament.rebuys_open:
        _close_rebuys(tournament, outbox)


def sells(tournament: Tournament) -> bool:
    """Whether anything can still be bought, an offer that waits for its answer included."""
    if tournament.entries_open or tournament.rebuys_open:
        return True
    return pending(tournament)


def pending(tournament: Tournament) -> bool:
    """Whether an offer waits for its answer, or for the boundary that gives its chips."""
    return Offer.objects.filter(tournament=tournament, state__in=Offer.PENDING).exists()


def enterable(tournament: Tournament) -> bool:
    """Whether late registration lasts at this very moment (E-01)."""
    return tournament.entries_open and entries.entries_open(tournament.late, course(tournament))


def course(tournament: Tournament) -> Course:
    """How far a running tournament has come, as far as buying depends on it.

    A break belongs to the level after it: what is sold through a level ends where that ends.
    """
    items = tournament.levels().items[: max(tournament.told_index, 0) + 1]
    reached = sum(isinstance(item, Level) for item in items)
    return Course(
        level=reached + (not isinstance(items[-1], Level)),
        elapsed_ms=levels.elapsed_ms(tournament.clock(), clock.database_now_ms()),
        left=tournament.left,
        somebody_out=tournament.left < tournament.entrants,
        hand_for_hand=tournament.hand_for_hand,
    )


def _period_lasts(tournament: Tournament, at: Course) -> bool:
    return at.level <= tournament.rebuy_until_level and not at.hand_for_hand


def _close_entries(tournament: Tournament, outbox: Outbox) -> None:
    tournament.entries_open = False
    outbox.tell(stream_of(tournament.pk), EntriesClosed(tournament.entrants))


def _close_rebuys(tournament: Tournament, outbox: Outbox) -> None:
    tournament.rebuys_open = False
    outbox.tell(stream_of(tournament.pk), RebuysClosed())
