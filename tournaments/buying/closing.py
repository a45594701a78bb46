"""Closing of sales: late entries, re-buys, add-on, and the point after all (E-01, E-04, E-07)."""

from __future__ import annotations

from config import clock
from tournaments import progress
from tournaments.buying import offers
from tournaments.engine import entries
from tournaments.events.buying import AddOnOpened, EntriesClosed, RebuysClosed
from tournaments.events.outbox import Outbox
from tournaments.events.outbox import tournament as stream_of
from tournaments.models import Offer, Tournament
from tournaments.models.buying import LateEnds


def begin(tournament: Tournament) -> None:
    """Open the sales a tournament has after its start; the caller saves the tournament."""
    tournament.entries_open = tournament.late_ends != LateEnds.NEVER_OPEN
    tournament.rebuys_open = tournament.rebuys_max > 0 or tournament.add_on


def review(tournament: Tournament, outbox: Outbox) -> None:
    """Close sales that end by their setting or by hand-for-hand; no sale opens again."""
    at = progress.reached(tournament)
    if tournament.entries_open and not entries.entries_open(tournament.late, at):
        _close_entries(tournament, outbox)
    if tournament.rebuys_open and not progress.period_lasts(tournament, at):
        _close_rebuys(tournament, outbox)
        if tournament.add_on and not tournament.hand_for_hand:
            _open_add_on(tournament, outbox)


def stop(tournament: Tournament, outbox: Outbox) -> None:
    """Close all sales at once, at the end or on cancelling."""
    if tournament.entries_open:
        _close_entries(tournament, outbox)
    if tournament.rebuys_open:
        _close_rebuys(tournament, outbox)


def sells(tournament: Tournament) -> bool:
    """Return whether anything can still be bought, including offers that wait for an answer."""
    if tournament.entries_open or tournament.rebuys_open:
        return True
    return pending(tournament)


def pending(tournament: Tournament) -> bool:
    """Return whether an offer waits for its answer, or for the boundary that gives its chips."""
    return Offer.objects.filter(tournament=tournament, state__in=Offer.PENDING).exists()


def _close_entries(tournament: Tournament, outbox: Outbox) -> None:
    tournament.entries_open = False
    outbox.tell(stream_of(tournament.pk), EntriesClosed(tournament.entrants))


def _close_rebuys(tournament: Tournament, outbox: Outbox) -> None:
    tournament.rebuys_open = False
    outbox.tell(stream_of(tournament.pk), RebuysClosed())


def _open_add_on(tournament: Tournament, outbox: Outbox) -> None:
    """Offer the add-on to every entry in play, at least to the end of a break that begins (E-05).

    An entry without chips now, or one that enters later, gets the offer together with its chips.
    """
    now_ms = clock.database_now_ms()
    until_ms = max(now_ms + tournament.offer_ms, progress.break_until_ms(tournament) or 0)
    tournament.add_on_until_ms = until_ms
    offers.offer_add_ons(tournament, until_ms, outbox)
    outbox.tell(stream_of(tournament.pk), AddOnOpened(until_ms))
