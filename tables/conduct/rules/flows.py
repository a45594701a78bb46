"""Chips that flow between the seats of a hand, without the luck of cards after an all-in (pure)."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from tables.dealer.record import HandRecord
from tables.engine.events import Card
from tables.engine.state import HandState
from tables.engine.variants import VARIANTS
from tables.history.equity import EquityTable

COMPLETIONS_DRAWN = 200
"""Completions of an all-in hand; the share is within seven points in 19 of 20 cases."""


def chips_flown(
    record: HandRecord, last: HandState, board: tuple[Card, ...], chance: Random
) -> dict[tuple[int, int], int]:
    """Return the chips from seat to seat in hundredths of a big blind, without zeros.

    A loss is shared among those who gain, in proportion. `board` is the one of the last decision:
    when cards came after it, pots count by the chances at that moment.
    """
    net = _nets(record, last, board, chance)
    gains = {seat: amount for seat, amount in net.items() if amount > 0}
    total = sum(gains.values())
    unit = _unit(record)
    flown: dict[tuple[int, int], int] = {}
    for giver, amount in net.items():
        for taker, gain in gains.items():
            centi = round(-100 * amount * gain / total / unit) if amount < 0 else 0
            if centi:
                flown[giver, taker] = centi
    return flown


def _nets(
    record: HandRecord, last: HandState, board: tuple[Card, ...], chance: Random
) -> Mapping[int, float]:
    net = {seat.seat: float(seat.stack - seat.start) for seat in last.seats}
    live = {seat.seat: seat for seat in last.seats if not seat.folded}
    game = VARIANTS[last.rules.variant]
    common = sum(street.board for street in game.streets)
    # Cards of stud come to each seat alone, and no state tells those of the last decision here.
    if len(live) < 2 or not common or len(board) == common:
        return net
    dead = [card for seat in last.seats if seat.folded for card in seat.cards]
    hands = {number: seat.cards for number, seat in live.items()}
    equity = EquityTable(last.rules.variant, hands, board, dead, chance, most=COMPLETIONS_DRAWN)
    for number, pot in enumerate(record.result.pots):
        awards = [award for award in record.result.awards if award.pot == number]
        paid = sum(share.amount for award in awards for share in award.winners)
        for award in awards:
            for share in award.winners:
                net[share.seat] -= share.amount
        for seat, share_bp in equity.shares_bp([one for one in pot.seats if one in live]).items():
            net[seat] += paid * share_bp / 10_000
    return net


def _unit(record: HandRecord) -> int:
    stakes = record.setup.rules.stakes
    return max(1, stakes.big_blind or stakes.small_bet or stakes.ante)
