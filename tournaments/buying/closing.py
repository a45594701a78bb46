"""Closing of sales: late entries, re-buys, add-on, and the point after all (E-01, E-04, E-07)."""

from __future__ import annotations

from config import clock
from tournaments import progress
from tournaments.buying import offers
from tournaments.engine import entries
from tournaments.events.buying import AddOnOpened, EntriesClosed, RebuysClosed
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.models import Offer, Tournament
from tournaments.models.options.buying import LateEnds


def begin(tournament: Tournament) -> None:
    """Open the sales a tournament has after its start."""
    tournament.entries_open = tournament.late_ends != LateEnds.NEVER_OPEN
    tournament.rebuys_open = tournament.rebuys_max > 0 or tournament.add_on


def close_ended_sales(tx: TournamentTransaction) -> None:
    """Close sales that end by their setting or by hand-for-hand; no sale opens again."""
    tournament = tx.tournament
    at = progress.reached(tournament)
    if tournament.entries_open and not entries.entries_open(tournament.late, at):
        _close_entries(tx)
    if tournament.rebuys_open and not progress.period_lasts(tournament, at):
        _close_rebuys(tx)
        if tournament.add_on and not tournament.hand_for_hand:
            _open_add_on(tx)


def stop(tx: TournamentTransaction) -> None:
    """Close all sales at once, at the end or on cancelling."""
    if tx.tournament.entries_open:
        _close_entries(tx)
    if tx.tournament.rebuys_open:
        _close_rebuys(tx)
    tx.tournament.offering = None


def offer_rest(tx: TournamentTransaction) -> None:
    """Offer the add-on to the next entries of a large field; never in hand-for-hand (E-07)."""
    if tx.tournament.hand_for_hand:
        tx.tournament.offering = None
    if tx.tournament.offering is not None:
        offers.offer_add_ons(tx)


def sells(tournament: Tournament) -> bool:
    """Return whether anything can still be bought, including offers that wait for an answer."""
    if tournament.entries_open or tournament.rebuys_open:
        return True
    return pending(tournament)


def pending(tournament: Tournament) -> bool:
    """Return whether an offer is to be made, or waits for its answer or for its boundary."""
    if tournament.offering is not None and tournament.pool is None:
        return True
    return Offer.objects.filter(tournament=tournament, state__in=Offer.PENDING).exists()


def _close_entries(tx: TournamentTransaction) -> None:
    tx.tournament.entries_open = False
    tx.announce(EntriesClosed(tx.tournament.entrants))


def _close_rebuys(tx: TournamentTransaction) -> None:
    tx.tournament.rebuys_open = False
    tx.announce(RebuysClosed())


def _open_add_on(tx: TournamentTransaction) -> None:
    """Offer the add-on to every entry in play, at least to the end of a break that begins (E-05).

    An entry without chips now, or one that enters later, gets the offer together with its chips.
    """
    tournament = tx.tournament
    now_ms = clock.database_now_ms()
    until_ms = max(now_ms + tournament.offer_ms, progress.break_until_ms(tournament) or 0)
    tournament.add_on_until_ms, tournament.offering = until_ms, 0
    offers.offer_add_ons(tx)
    tx.announce(AddOnOpened(until_ms))
