"""Planted defects of sealed decks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from tables.dealer import advance, courses, cuts
from tables.dealer.sealed import CalledHand, call_hand
from tables.dealer.state import TableState
from tables.engine.events import Card, HandEnded
from tables.fairlog import keeper, storage
from tables.fairlog.models import LogLeaf
from tables.fairness.leaves import LeafKind
from tables.fairness.tiles import extended
from tables.wire.client_commands import CutDeck
from tables.workers import sealing, settle


def void_keeps_its_seal() -> AbstractContextManager[Any]:
    """Raise the epoch of a table and leave the seal of its hand open."""
    return patch.object(sealing, "end", lambda *_, **__: None)


def row_after_the_grant() -> AbstractContextManager[Any]:
    """Grant the first hand of a table although no row holds its seal."""
    return patch.object(settle, "_require_seal", lambda *_: None)


def cut_left_out() -> AbstractContextManager[Any]:
    """Leave the cuts of the odd seats out, though they came in time."""
    real = cuts.take_cuts

    def take(state: TableState, given: Iterable[tuple[int, CutDeck]]) -> TableState:
        odd = {seat.user for seat in state.seats if seat.seat % 2}
        known = [(user, replace(cut, seed=None) if user in odd else cut) for user, cut in given]
        return real(state, known)

    return patch.object(advance, "take_cuts", take)


def pledge_called_twice() -> AbstractContextManager[Any]:
    """Call a pledge again whose seed is known."""
    return patch.object(cuts, "without_called_pledges", lambda state: state)


def open_pledge_called() -> AbstractContextManager[Any]:
    """Keep the pledge of every cut, whatever hand it names."""
    return patch.object(cuts, "_pledges", lambda *_: True)


def late_seed_counts() -> AbstractContextManager[Any]:
    """Count a seed that was opened when the cards were dealt."""
    real = CalledHand.opened

    def opened(called: CalledHand, seeds: Iterable[tuple[int, bytes]], *, late: bool) -> CalledHand:
        return real(called, seeds, late=False)

    return patch.object(CalledHand, "opened", opened)


def seal_made_after_the_call() -> AbstractContextManager[Any]:
    """Seal a hand anew once its roster was called."""
    real = CalledHand.deck

    def deck(called: CalledHand) -> tuple[Card, ...]:
        other = replace(called.sealed, secret=called.sealed.secret[::-1])
        return real(replace(called, sealed=other))

    return patch.object(CalledHand, "deck", deck)


def called_twice() -> AbstractContextManager[Any]:
    """Call a hand again when the first cut arrives, to the pledges of that moment."""
    real = cuts.take_cuts

    def take(state: TableState, given: Iterable[tuple[int, CutDeck]]) -> TableState:
        known = list(given)
        taken, called = real(state, known), state.called
        if not any(cut.seed for _, cut in known) or called is None or state.phase != "granted":
            return taken
        fewer = called.cuts[1:]
        again = call_hand(
            called.sealed, called.seats, sign=bytes, now_ms=called.called_ms, cuts=fewer
        )
        return replace(taken, called=replace(called, call=again.call, cuts=fewer))

    return patch.object(advance, "take_cuts", take)


def head_forgets_a_leaf() -> AbstractContextManager[Any]:
    """Put the hash of the leaf before in the place of the last leaf, and sign that."""

    @contextmanager
    def planted() -> Iterator[None]:
        def forgetful(read: Any, size: int, hashes: Any) -> Any:
            return extended(read, size, [*hashes[:-1], hashes[-2]] if len(hashes) > 1 else hashes)

        with (
            patch.object(keeper, "extended", forgetful),
            patch.object(keeper, "_require_hashes", lambda *_: None),
        ):
            yield

    return planted()


def fate_logged_twice() -> AbstractContextManager[Any]:
    """Give a fate that is logged another place behind the first."""
    real = storage.append

    def append(first: int, leaves: Any) -> None:
        real(first, leaves)
        fates = [leaf for leaf in leaves if leaf.kind == LeafKind.FATE]
        if fates:
            LogLeaf.objects.create(
                kind=LeafKind.FATE, index=first + len(leaves), leaf=fates[0].leaf
            )

    return patch.object(storage, "append", append)


def course_without_its_end() -> AbstractContextManager[Any]:
    """Leave the last event of a hand out of its course."""
    real = courses.followed

    def followed(before: TableState, after: TableState, events: Any) -> TableState:
        return real(before, after, [one for one in events if not isinstance(one, HandEnded)])

    return patch.object(courses, "followed", followed)
