"""Facts of a tournament that exported hands name."""

from __future__ import annotations

from tables.history.exports.games import TournamentFacts
from tournaments.engine.payout_tables import BASIS_POINTS
from tournaments.models import Tournament
from tournaments.models.options.formats import Format
from tournaments.models.tournament import Start
from tournaments.prizes import bounties

FLAGS = {
    Format.DOUBLE_OR_NOTHING: "DON",
    Format.FIFTY_FIFTY: "Fifty50",
    Format.SATELLITE: "Satellite",
    Format.SHOOTOUT: "Shootout",
    Format.SPIN: "Lottery",
}
"""Flags of Open Hand History by format."""


def tournament_facts(pk: int) -> TournamentFacts:
    """Return the facts of a tournament; raises Tournament.DoesNotExist."""
    tournament = Tournament.objects.get(pk=pk)
    return TournamentFacts(
        start_ms=tournament.started_ms,
        buy_in=tournament.buy_in,
        bounty=tournament.bounty,
        fee=tournament.fee,
        starting_stack=tournament.starting_stack,
        is_single_table=tournament.players_max <= tournament.seats_per_table,
        level_ms=tournament.levels().levels[0].lasts_ms,
        flags=tuple(_flags(tournament)),
    )


def _flags(tournament: Tournament) -> list[str]:
    flags = {
        "SNG": tournament.start == Start.SIT_AND_GO,
        "Bounty": bounties.offered(tournament),
        "Progressive-Bounty": tournament.bounty > 0 and tournament.progressive_bp < BASIS_POINTS,
        "Rebuy": tournament.rebuys_max > 0,
        "Re-Entry": tournament.entries_max > 1,
        "Multi-Entry": tournament.several_at_once,
        FLAGS.get(Format(tournament.format), ""): True,
    }
    return [flag for flag, holds in flags.items() if flag and holds]
