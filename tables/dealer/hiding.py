"""Hidden part of a table's state: cards that were not shown to all, apart from what may be read."""

from __future__ import annotations

from itertools import chain
from operator import add

import msgspec
from msgspec.structs import replace

from tables.dealer import record
from tables.dealer.sealed import CalledHand, SealedHand
from tables.dealer.state import Beat, TableState
from tables.engine.events import HIDDEN, Card, HandEvent
from tables.engine.state import HandSetup, HandState, SeatState
from tables.engine.variants import VARIANTS
from tables.engine.visibility import view


class HiddenPart(msgspec.Struct, frozen=True, array_like=True):
    """Secrets of a table: those of the called and of the next deck, the deck, all hole cards.

    `coming` are the events of a run-out that are not published yet; `seed` makes all decks of a
    research room's game.
    """

    secret: bytes
    next_secret: bytes
    deck: str
    cards: tuple[tuple[Card, ...], ...]
    coming: tuple[Beat, ...]
    seed: str = ""


_NOTHING = HiddenPart(b"", b"", "", (), ())
"""Hidden part of a state whose secrets are all told or gone."""


def hide(state: TableState) -> tuple[TableState, HiddenPart | None]:
    """Return the open state, with "??" for hidden cards, and the hidden part; None without one.

    The open state is for reading: only together with its hidden part can a table play on. Its
    `hand.deck` has the cards at their places that all were shown.
    """
    hand, called, following = state.hand, state.called, state.next_seal
    if not (hand or state.setup or called or following or state.seed):
        return state, None
    hidden = HiddenPart(
        secret=b"" if called is None else called.sealed.secret,
        next_secret=b"" if following is None else following.secret,
        deck="" if hand is None else hand.deck,
        cards=() if hand is None else tuple([seat.cards for seat in hand.seats]),
        coming=() if state.run_out is None else state.run_out.coming,
        seed=_secret(state.seed),
    )
    return _without(state), None if hidden == _NOTHING else hidden


def has_secrets(state: TableState) -> bool:
    """Return whether a state holds anything that belongs into its hidden part."""
    called, following, setup = state.called, state.next_seal, state.setup
    return bool(
        state.hand is not None
        or state.run_out is not None
        or (setup is not None and setup.deck)
        or (called is not None and called.sealed.secret)
        or (following is not None and following.secret)
        or _secret(state.seed)
    )


def reveal(state: TableState, hidden: HiddenPart) -> TableState:
    """Return the whole state of an open state and its hidden part."""
    hand, setup, run_out = state.hand, state.setup, state.run_out
    if hand is not None:
        seats = zip(hand.seats, hidden.cards, strict=True)
        held = tuple([replace(seat, cards=cards) for seat, cards in seats])
        hand = replace(hand, deck=hidden.deck, seats=held)
    return replace(
        state,
        hand=hand,
        setup=setup and replace(setup, deck=cards_of(hidden.deck)),
        called=_called_with(state.called, hidden.secret),
        next_seal=_sealed_with(state.next_seal, hidden.next_secret),
        run_out=run_out and replace(run_out, coming=hidden.coming),
        seed=hidden.seed,
    )


def stand_in(setup: HandSetup, places: tuple[Card, ...]) -> HandSetup:
    """Return the setup of an open hand with a whole deck: cards nobody was shown in fixed order.

    `places` is the deck with "??" for these cards. A hand replays from it as all saw it, up to the
    action that decided it.
    """
    rest = iter([card for card in VARIANTS[setup.rules.variant].deck if card not in places])
    deck = tuple([next(rest) if card == HIDDEN else card for card in places])
    return replace(setup, deck=deck)


def is_decided(state: TableState) -> bool:
    """Return whether the last action or deal decided the hand that the table holds."""
    return state.run_out is not None or (state.hand is not None and state.hand.finished)


def _secret(seed: str) -> str:
    """Return a seed, or nothing for one that is hidden already."""
    return "" if seed == HIDDEN else seed


def _without(state: TableState) -> TableState:
    hand, setup, run_out, ending = state.hand, state.setup, state.run_out, state.ending
    if hand is not None:
        if not ending and is_decided(state):
            ending = _ending(state)
        seats = tuple([replace(seat, cards=_seen(seat)) for seat in hand.seats])
        hand = replace(hand, deck=_shown_deck(hand), seats=seats)
    return replace(
        state,
        hand=hand,
        ending=ending,
        setup=setup and replace(setup, deck=()),
        called=_called_with(state.called, b""),
        next_seal=_sealed_with(state.next_seal, b""),
        run_out=run_out and replace(run_out, coming=()),
        seed=state.seed and HIDDEN,
    )


def _ending(state: TableState) -> tuple[HandEvent, ...]:
    """Return the published events of the step that decided a hand of an older release."""
    assert state.setup is not None
    before = record.steps(state.setup, state.actions)[:-1]
    since = len(list(chain.from_iterable(before)))
    return tuple([view(event, None) for event in record.told(state)[since:]])


def _shown_deck(hand: HandState) -> str:
    """Return the deck with "??" for each card that not all were shown."""
    shown = list(hand.board)
    for seat in hand.seats:
        if seat.shown:
            shown += [card for card in seat.shown if card != HIDDEN]
    deck, places = hand.deck, HIDDEN * (len(hand.deck) // 2)
    for card in shown:
        at = deck.index(card)
        places = places[:at] + card + places[at + 2 :]
    return places


def _seen(seat: SeatState) -> tuple[Card, ...]:
    return seat.shown or (HIDDEN,) * len(seat.cards)


def _called_with(called: CalledHand | None, secret: bytes) -> CalledHand | None:
    return called and replace(called, sealed=replace(called.sealed, secret=secret))


def _sealed_with(sealed: SealedHand | None, secret: bytes) -> SealedHand | None:
    return sealed and replace(sealed, secret=secret)


def cards_of(deck: str) -> tuple[Card, ...]:
    """Return the cards of a deck that is written without separators."""
    return tuple(map(add, deck[::2], deck[1::2]))
