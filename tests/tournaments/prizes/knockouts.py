"""Running bounty tournaments, and knock-outs in them."""

from __future__ import annotations

from collections.abc import Sequence

from tables.models import Table
from tests.tournaments.cast import started
from tournaments.events.unit_of_work import tournament_transaction
from tournaments.models import Entry, KnockOut, Tournament
from tournaments.prizes import bounties

BOUNTY = 500


def knock_out(tournament: Tournament, victim: Entry, hunters: Sequence[Entry]) -> None:
    """Take an entry out of play and collect its bounty, as a settled hand does."""
    order = KnockOut.objects.filter(tournament=tournament).count() + 1
    KnockOut.objects.create(
        tournament=tournament,
        entry=victim,
        order=order,
        round=0,
        table_id=_table(tournament),
        hand=order,
        stack=100,
        button_distance=1,
        winners=[[hunter.pk, 50] for hunter in hunters],
    )
    Entry.objects.filter(pk=victim.pk).update(state=Entry.State.OUT)
    with tournament_transaction(tournament.pk) as tx:
        bounties.collect(tx, [victim.pk])


def _table(tournament: Tournament) -> int:
    return Table.objects.filter(game=tournament.pk).values_list("pk", flat=True)[0]


def bounty_field(players: int, **fields: object) -> tuple[Tournament, list[Entry]]:
    """A running bounty tournament and its entries."""
    tournament = started(players, **({"bounty": BOUNTY} | fields))
    return tournament, list(tournament.entries.select_related("user").order_by("pk"))
