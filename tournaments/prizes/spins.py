"""The draw of a spin: fair, recorded with its odds, with the room's payment or gain (F-05)."""

from __future__ import annotations

from collections.abc import Mapping

from config import entropy, limits
from tournaments.engine import spin
from tournaments.engine.lot import Lot
from tournaments.engine.payout_tables import BASIS_POINTS
from tournaments.events.formats import SpinDrawn, SpinOdds
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.models import AuditRow, Tournament


def draw(tournament: Tournament, lot: Lot | None = None) -> None:
    """Draw and record the multiplier of a spin that starts; do nothing for other formats.

    The tournament is locked and saved by the caller; `lot` is the system's unless given.
    """
    if not tournament.format_rules.draws_pool:
        return
    assert tournament.spin is None, "a spin is drawn once"
    odds = odds_of(tournament)
    drawn = spin.spin(odds, tournament.buy_in, lot or entropy.system())
    tournament.spin = {
        "drawn": drawn.drawn,
        "multiplier": drawn.multiplier,
        "pool": drawn.pool,
        "room_part": drawn.room_part,
        "odds": {str(multiplier): count for multiplier, count in sorted(odds.items())},
        "at_ms": tournament.started_ms,
    }
    AuditRow.objects.create(tournament=tournament, action="spin", details=tournament.spin)


def tell(tx: TournamentTransaction) -> None:
    """Announce the drawn multiplier, so that every table shows it; nothing for other formats."""
    if drawn := shown(tx.tournament):
        tx.announce(SpinDrawn(drawn))


def shown(tournament: Tournament) -> SpinOdds | None:
    """Return the draw as clients see it; None before the draw."""
    record = tournament.spin
    if record is None:
        return None
    odds = {int(multiplier): count for multiplier, count in record["odds"].items()}
    return SpinOdds(
        drawn=record["drawn"],
        multiplier=record["multiplier"],
        pool=record["pool"],
        prizes=tuple(prize for prize in tournament.prizes if prize),
        odds=tuple(sorted(odds.items())),
        at_ms=record["at_ms"],
    )


def pool(tournament: Tournament) -> int:
    """Return the drawn pool in cents; before the draw the smallest possible one (Z-01)."""
    if tournament.spin is not None:
        return int(tournament.spin["pool"])
    return min(odds_of(tournament)) * tournament.buy_in


def prizes(tournament: Tournament, pool: int) -> list[int]:
    """Split the pool as set for its multiplier, by default to the winner alone."""
    record = tournament.spin
    multiplier = record["multiplier"] if record else min(odds_of(tournament))
    return split(tournament, multiplier, pool)


def split(tournament: Tournament, multiplier: int, pool: int) -> list[int]:
    """Return the prize of each place for a multiplier and its pool; the winner first, losers 0."""
    shares = tournament.spin_splits.get(str(multiplier), [BASIS_POINTS])
    return spin.split(pool, shares)


def odds_of(tournament: Tournament) -> dict[int, int]:
    """Multiplier -> draws of 100,000, smallest first; the room's own odds unless set."""
    return dict(sorted(read_odds(tournament.spin_odds).items()))


def read_odds(written: Mapping[str, int]) -> dict[int, int]:
    """Decode the odds of a spin for the engine; the room's own when none are given (F-05)."""
    return {int(multiplier): count for multiplier, count in written.items()} or dict(spin.ODDS)


def first_hand_at_ms(tournament: Tournament) -> int:
    """Return the time from which tables deal, in ms: after the spin's animation if shown."""
    if not tournament.format_rules.draws_pool or not tournament.hand_pause_ms:
        return 0
    assert tournament.started_ms is not None, "a table in play belongs to a started tournament"
    return tournament.started_ms + limits.SPIN_DRUM_MS
