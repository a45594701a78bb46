"""The rows of a ring game to simulate: its rake table, its jackpot, its first tables."""

from __future__ import annotations

from django.contrib.auth.hashers import make_password
from django.db import transaction
from msgspec.structs import replace

from tables.ring.engine.jackpots import JackpotTerms
from tables.ring.models import Jackpot, RakeTable, RakeTableRow, RingGame
from tables.ring.sessions import opening
from tests.simulation.ring_terms import RingOffered


def open_ring_game(wanted: RingOffered) -> int:
    """Create the game with its rake and jackpot, and open its first table."""
    with transaction.atomic():
        game = RingGame.objects.create(
            name="Simulated ring game",
            rake_table=None if wanted.rake is None else _rake_table(*wanted.rake),
            password=make_password(wanted.password) if wanted.password else "",
            **wanted.fields,
        )
        if wanted.jackpot is not None:
            game.jackpots.add(_jackpot(wanted.jackpot))
        opening.open_missing(game)
    return game.pk


def _rake_table(basis_points: int, minimum: int, maximum: int) -> RakeTable:
    table = RakeTable.objects.create(name=f"simulated {RakeTable.objects.count()}")
    RakeTableRow.objects.create(
        table=table, basis_points=basis_points, minimum=minimum, maximum=maximum
    )
    return table


def _jackpot(shares: dict[str, int]) -> Jackpot:
    """Create a bad beat jackpot that any pair over another hand of a pair triggers."""
    terms = JackpotTerms(
        kind="bad_beat",
        feed=0,
        least_loser="pair",
        least_winner="pair",
        both_hole_cards=False,
        pocket_pair=False,
        cards_shown=False,
        winner_too=False,
    )
    jackpot = Jackpot(kind=Jackpot.Kind.BAD_BEAT)
    jackpot.terms = replace(terms, **shares)
    jackpot.save()
    return jackpot
