"""Figures of the cards that each player was dealt in one hand, from its record alone (pure)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import msgspec

from config.sums import add_to, added
from tables.chance.holes import RANKS, SUITS, hole_class, is_premium
from tables.dealer.record import HandRecord, replay
from tables.engine.cards import DECK
from tables.engine.events import Card, HandsRevealed, HoleCardsDealt, StreetDealt
from tables.engine.variants import VARIANTS
from tables.history.equity import EquityTable

COMPLETIONS_DRAWN = 300
"""Completions of an all-in hand that are drawn where there are more."""

NO_RANKS = (0,) * RANKS
NO_SUITS = (0,) * SUITS
_NUMBERS = {card: number for number, card in enumerate(DECK)}


class DealtFigures(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Figures of hands with equally many hole cards in the first deal; lists by rank and suit.

    `pairs`, `suited` and `premium` are of games with two hole cards, `board_ranks` and
    `board_suits` of the cards that lay on the board. In `all_ins` cards came after the last
    decision, with all hands open: `won` is what came of the pots, `due` the part of them by the
    chances at that moment, in hundredths of a big blind; `spread` the sum of the squares that
    chance alone makes of their difference, at most.
    """

    hands: int = 0
    ranks: tuple[int, ...] = NO_RANKS
    suits: tuple[int, ...] = NO_SUITS
    pairs: int = 0
    suited: int = 0
    premium: int = 0
    board_ranks: tuple[int, ...] = NO_RANKS
    board_suits: tuple[int, ...] = NO_SUITS
    all_ins: int = 0
    won: int = 0
    due: int = 0
    spread: int = 0


NAMES = DealtFigures.__struct_fields__
"""Names of all figures, in their order."""


def dealt_figures(record: HandRecord) -> dict[tuple[int, int], DealtFigures]:
    """Return the figures of a hand by user and number of hole cards; none of a shorter deck.

    Nothing of it depends on cards that the player was not shown: an all-in is judged by the open
    hands alone.
    """
    if VARIANTS[record.setup.rules.variant].deck != DECK:
        return {}
    holes, board, revealed = _course(record)
    all_in = {} if revealed is None else _all_in(record, *revealed)
    users = {seat.seat: seat.user for seat in record.seats if seat.dealt}
    found: dict[tuple[int, int], DealtFigures] = {}
    for seat, cards in holes.items():
        key = users[seat], len(cards)
        own = _of_seat([_NUMBERS[card] for card in cards], [_NUMBERS[card] for card in board])
        if seat in all_in:
            own = added(own, all_in[seat])
        add_to(found, key, own)
    return found


Hands = dict[int, tuple[Card, ...]]


def _course(
    record: HandRecord,
) -> tuple[Hands, tuple[Card, ...], tuple[Hands, tuple[Card, ...]] | None]:
    """Return the cards of the first deal, the board, and the open hands with the board then."""
    holes: Hands = {}
    board: tuple[Card, ...] = ()
    revealed: tuple[Hands, tuple[Card, ...]] | None = None
    for event in replay(record.setup, record.actions):
        match event:
            case HoleCardsDealt():
                holes.setdefault(event.seat, event.cards)
            case StreetDealt():
                board += event.cards
            case HandsRevealed():
                revealed = dict(event.hands), board
    return holes, board, revealed


def _of_seat(hole: Sequence[int], board: Sequence[int]) -> DealtFigures:
    kind = hole_class(hole) if len(hole) == 2 else ""
    return DealtFigures(
        hands=1,
        ranks=_counted([card // SUITS for card in hole], RANKS),
        suits=_counted([card % SUITS for card in hole], SUITS),
        pairs=int(kind == "pair"),
        suited=int(kind == "suited"),
        premium=int(bool(kind) and is_premium(hole)),
        board_ranks=_counted([card // SUITS for card in board], RANKS),
        board_suits=_counted([card % SUITS for card in board], SUITS),
    )


def _counted(values: Sequence[int], kinds: int) -> tuple[int, ...]:
    return tuple(map(values.count, range(kinds)))


def _all_in(record: HandRecord, hands: Hands, board: tuple[Card, ...]) -> dict[int, DealtFigures]:
    game = VARIANTS[record.setup.rules.variant]
    common = sum(street.board for street in game.streets)
    if not common or len(board) == common or len(hands) < 2:
        return {}  # nothing came, or to each seat alone as in stud
    # Not from the hand's digest, which hidden cards change: figures tell of open cards alone.
    chance = Random(f"{record.table}:{record.epoch}:{record.hand}")  # nosec B311
    equity = EquityTable(game.name, hands, board, (), chance, most=COMPLETIONS_DRAWN)
    won, due, spread = (dict.fromkeys(hands, 0.0) for _ in range(3))
    for seat, paid, share, got in _pots(record, hands, equity):
        won[seat] += got
        due[seat] += paid * share
        spread[seat] += paid * (share * (1 - share)) ** 0.5
    stakes = record.setup.rules.stakes
    unit = max(1, stakes.big_blind or stakes.small_bet or stakes.ante) / 100
    return {
        seat: DealtFigures(
            all_ins=1,
            won=round(won[seat] / unit),
            due=round(due[seat] / unit),
            spread=round((spread[seat] / unit) ** 2),
        )
        for seat in hands
    }


def _pots(
    record: HandRecord, hands: Hands, equity: EquityTable
) -> Iterator[tuple[int, int, float, int]]:
    """Yield seat, pot after rake, chance of it and winnings, for the seats of each disputed pot."""
    for number, pot in enumerate(record.result.pots):
        seats = [seat for seat in pot.seats if seat in hands]
        if len(seats) < 2:
            continue
        shares = [
            share
            for award in record.result.awards
            if award.pot == number
            for share in award.winners
        ]
        paid = sum(share.amount for share in shares)
        for seat, share_bp in equity.shares_bp(seats).items():
            got = sum(share.amount for share in shares if share.seat == seat)
            yield seat, paid, share_bp / 10_000, got
