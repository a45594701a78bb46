"""Cheats with seals, calls, seeds and cuts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tables.engine.cards import DECK
from tables.fairness import cutting
from tables.fairness.cutting import CutState, RosterRow
from tables.fairness.sampling import PERMUTATION_BYTES, stream
from tables.fairness.sealing import seal_deck
from tests.tables.fairness.cheats import (
    OTHER_KEY,
    found_by,
    other_seat,
    showdown,
)
from tests.tables.fairness.forger import Forger


@found_by("V05")
def better_deck_sought_once_seeds_are_known() -> dict[str, Any]:
    def seek(forger: Forger) -> None:
        forger.secret = forger.random.randbytes(32)
        forger.deck = seal_deck(forger.secret, forger.hand)

    return showdown().forge(called=seek)


@found_by("V05")
def own_cut_left_out() -> dict[str, Any]:
    return Forger().forge(
        called=lambda forger: forger.replace_row(forger.viewer, state=CutState.SILENT, seed=None)
    )


@found_by("V05")
def own_cut_called_late() -> dict[str, Any]:
    return Forger().forge(
        called=lambda forger: forger.replace_row(forger.viewer, state=CutState.LATE)
    )


@found_by("V05")
def pledge_changed_late() -> dict[str, Any]:
    def change(forger: Forger) -> None:
        row, seed = forger.row(forger.viewer), forger.random.randbytes(32)
        pledge = cutting.pledge_of(forger.room, row.entry, seed)
        forger.replace_row(forger.viewer, seed=seed, pledge=pledge)

    return Forger().forge(called=change)


@found_by("V04")
def seed_changed() -> dict[str, Any]:
    return Forger().forge(
        called=lambda forger: forger.replace_row(other_seat(forger), seed=bytes(32))
    )


@found_by("V04")
def seeds_exchanged() -> dict[str, Any]:
    def exchange(forger: Forger) -> None:
        one, two = forger.roster[1], forger.roster[2]
        forger.replace_row(one.seat, seed=two.seed)
        forger.replace_row(two.seat, seed=one.seed)

    return Forger().forge(called=exchange)


@found_by("V04")
def pledge_copied() -> dict[str, Any]:
    def copy(forger: Forger) -> None:
        victim = forger.row(forger.viewer)
        forger.replace_row(other_seat(forger), seed=victim.seed, pledge=victim.pledge)

    return Forger().forge(called=copy)


@found_by("V05")
def seat_added_to_the_call() -> dict[str, Any]:
    return Forger().forge(called=lambda forger: forger.roster.append(RosterRow(11, 711)))


@found_by("V09")
def seat_dealt_in_uncalled() -> dict[str, Any]:
    def leave_out(forger: Forger) -> None:
        forger.roster = [row for row in forger.roster if row.seat != other_seat(forger)]
        forger.noted["call"] = cutting.call_of(forger.hand, forger.deck.seal, forger.roster).hex()

    return Forger().forge(called=leave_out)


@found_by("V07")
def late_seed_counted() -> dict[str, Any]:
    def count(forger: Forger) -> None:
        forger.cut_key = cutting.cut_key_of(forger.call, forger.roster)
        forger.cut = cutting.cut_of(forger.cut_key, forger.hand)
        forger.replace_row(other_seat(forger), state=CutState.LATE)

    return Forger().forge(cut=count)


@found_by("V07")
def sampler_that_moves_every_card() -> dict[str, Any]:
    return Forger().forge(cut=lambda forger: _sample(forger, lambda word, last: word % last))


@found_by("V07")
def sampler_by_remainder() -> dict[str, Any]:
    """Words that must be skipped are rare, so that a hand that has one is sought."""
    for seed in range(2_000):
        forger = Forger(seed)
        proof = forger.forge(cut=lambda f: _sample(f, lambda word, last: word % (last + 1)))
        assert forger.cut_key is not None
        if forger.cut != cutting.cut_of(forger.cut_key, forger.hand):
            return proof
    raise AssertionError("no seed skips a word")


def _sample(forger: Forger, place_of: Callable[[int, int], int]) -> None:
    assert forger.cut_key is not None
    source = stream(forger.cut_key, "cut", forger.hand, PERMUTATION_BYTES)
    order = list(range(len(DECK)))
    for at, last in enumerate(range(len(DECK) - 1, 0, -1)):
        place = place_of(int.from_bytes(source[2 * at : 2 * at + 2], "big"), last)
        order[last], order[place] = order[place], order[last]
    forger.cut = tuple(order)


@found_by("V03")
def foreign_signature() -> dict[str, Any]:
    forger = Forger()
    forger.call_private = OTHER_KEY
    return forger.forge()


@found_by("V03")
def roster_left_out() -> dict[str, Any]:
    return Forger().forge() | {"roster": []}


@found_by("V12")
def forged_button() -> dict[str, Any]:
    honest = Forger()
    honest.first_button = True
    button = honest.forge() and honest.events[0]["button"]
    forger = Forger()
    forger.first_button = True
    forger.forged_button = min(set(forger.seats) - {button})
    return forger.forge()


@found_by("V06")
def dealt_before_called() -> dict[str, Any]:
    forger = Forger()
    forger.times = forger.times._replace(called_ms=forger.times.dealt_ms + 1)
    return forger.forge()
