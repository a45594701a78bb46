"""Recorded hand of another room, as one line of JSON."""

from __future__ import annotations

from decimal import Decimal

import msgspec

from tables.engine.variants import LIMITS, VARIANTS

Amount = Decimal


class RecordedSeat(msgspec.Struct, frozen=True):
    """A seat that was dealt in, with its stack before any post."""

    seat: int
    stack: Amount
    sitting_out: bool = False


class RecordedAction(msgspec.Struct, frozen=True, array_like=True):
    """An action in the words of the file; `amount` is the chips it adds, or a raise's total."""

    street: str
    seat: int
    kind: str
    amount: Amount = Amount(0)


class RecordedHand(msgspec.Struct, frozen=True):
    """One hand with decimal amounts; `collected` are the chips won by seat, after the rake."""

    id: str
    tournament: bool
    game: str
    limit: str
    small_blind: Amount
    big_blind: Amount
    button: int | None
    seats: tuple[RecordedSeat, ...]
    posts: tuple[tuple[int, str, Amount], ...]
    actions: tuple[RecordedAction, ...]
    board: tuple[str, ...]
    cards: dict[str, tuple[str, ...]]
    uncalled: tuple[int, Amount] | None
    pots: tuple[Amount, ...]
    total_pot: Amount
    rake: Amount
    collected: dict[str, Amount]


class RealAction(msgspec.Struct, frozen=True):
    """One recorded action in chips, with its street in the words of the engine."""

    street: str
    seat: int
    kind: str
    amount: int


class RealHand(msgspec.Struct, frozen=True):
    """A recorded hand in whole chips: cents where the file has decimals."""

    id: str
    tournament: bool
    game: str
    limit: str
    small_blind: int
    big_blind: int
    button: int | None
    stacks: dict[int, int]
    away: frozenset[int]
    posts: tuple[tuple[int, str, int], ...]
    actions: tuple[RealAction, ...]
    board: tuple[str, ...]
    cards: dict[int, tuple[str, ...]]
    uncalled: tuple[int, int] | None
    pots: tuple[int, ...]
    rake: int
    collected: dict[int, int]


STUD_STREETS = {"3rd": "third", "4th": "fourth", "5th": "fifth", "6th": "sixth"}
"""Names of stud streets in the file; its "river" is the seventh street."""
CENTS = 100
AMOUNT_MAX = 10**12
"""Largest amount that a record may name, in its own units."""


def read(line: bytes | str) -> RealHand:
    """Return the hand of one line; raises msgspec.ValidationError."""
    hand = msgspec.json.decode(line, type=RecordedHand)
    _check(hand)
    return _whole(hand)


def _check(hand: RecordedHand) -> None:
    """Refuse values that no deck and no table can produce."""
    variant = VARIANTS.get(hand.game)
    if variant is None:
        raise msgspec.ValidationError(f"unknown game {hand.game}")
    if not all(amount.is_finite() and 0 <= amount <= AMOUNT_MAX for amount in _amounts(hand)):
        raise msgspec.ValidationError("an amount out of range")
    common = sum(street.board for street in variant.streets) or 1
    seats = {seat.seat for seat in hand.seats}
    cards = [card for dealt in (hand.board, *hand.cards.values()) for card in dealt]
    doers = {act.seat for act in hand.actions} | {post[0] for post in hand.posts}
    named = {*hand.cards, *hand.collected}
    for wrong, what in (
        (hand.limit not in LIMITS, f"unknown limit {hand.limit}"),
        (not 2 <= len(seats) == len(hand.seats), "too few seats, or one twice"),
        (len(seats) > variant.seats_max, "too many seats"),
        (any(seat.stack == 0 for seat in hand.seats), "a seat without chips"),
        (not set(cards) <= set(variant.deck) or len(set(cards)) < len(cards), "impossible cards"),
        (len(hand.board) > common, "more common cards than the game has"),
        (not doers <= seats, "a seat acts that was not dealt in"),
        (not named <= {str(seat) for seat in seats}, "a seat has cards that was not dealt in"),
    ):
        if wrong:
            raise msgspec.ValidationError(what)


def _whole(hand: RecordedHand) -> RealHand:
    scale = CENTS if any(amount % 1 for amount in _amounts(hand)) else 1

    def chips(amount: Amount) -> int:
        whole = amount * scale
        if whole % 1:
            raise msgspec.ValidationError(f"{amount} is not a whole number of cents")
        return int(whole)

    return RealHand(
        id=hand.id,
        tournament=hand.tournament,
        game=hand.game,
        limit=hand.limit,
        small_blind=chips(hand.small_blind),
        big_blind=chips(hand.big_blind),
        button=hand.button,
        away=frozenset(seat.seat for seat in hand.seats if seat.sitting_out),
        stacks={seat.seat: chips(seat.stack) for seat in hand.seats},
        posts=tuple((seat, kind, chips(amount)) for seat, kind, amount in hand.posts),
        actions=tuple(
            RealAction(_street(hand, action), action.seat, action.kind, chips(action.amount))
            for action in hand.actions
        ),
        board=hand.board,
        cards={int(seat): cards for seat, cards in hand.cards.items()},
        uncalled=hand.uncalled and (hand.uncalled[0], chips(hand.uncalled[1])),
        pots=tuple(chips(pot) for pot in hand.pots),
        rake=chips(hand.rake),
        collected={int(seat): chips(amount) for seat, amount in hand.collected.items()},
    )


def _street(hand: RecordedHand, action: RecordedAction) -> str:
    if hand.game.startswith("stud") and action.street == "river":
        return "seventh"
    return STUD_STREETS.get(action.street, action.street)


def _amounts(hand: RecordedHand) -> list[Amount]:
    return [
        hand.small_blind,
        hand.big_blind,
        hand.rake,
        *(seat.stack for seat in hand.seats),
        *(amount for _, _, amount in hand.posts),
        *(action.amount for action in hand.actions),
        *hand.pots,
        *hand.collected.values(),
        *([hand.uncalled[1]] if hand.uncalled else []),
    ]
