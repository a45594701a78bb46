"""The end of a simulated tournament: places, prizes, payment by format (T-07, F, K, Y)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tournaments.engine import cancellation, deals, formats, payouts, places, satellites
from tournaments.engine.cancellation import RolledForward
from tournaments.simulation.bank import FEES, POOL, player
from tournaments.simulation.field import Field, SimulatedEntry
from tournaments.simulation.money import Money
from tournaments.simulation.options import SimulationOptions


def is_over(options: SimulationOptions, money: Money, field: Field) -> bool:
    """Return whether play stops here by the format."""
    if money.pool is None:
        return False
    left = field.left
    if options.format_rules.pays_tickets:
        tickets = sum(1 for prize in money.tickets if prize.kind == "ticket")
        return satellites.is_over(left, tickets)
    return options.format_rules.is_over(len(field.entries), left)


def place(
    options: SimulationOptions, money: Money, field: Field, *, pay: bool = True
) -> list[SimulatedEntry]:
    """Give every eliminated entry without a place its place and prize."""
    outs, field.knock_outs = field.knock_outs, []
    if not outs:
        return []
    ranked = places.places(outs, field.left + len(outs), round_ties=options.tie_rule)
    prizes = payouts.shared(money.prizes, ranked) if pay else {}
    if options.cash_value:  # the worth of each stack that left, no prize for a place
        prizes = {row.entry: field.entries[row.entry].dead for row in ranked}
    placed = []
    for row in ranked:
        entry = field.entries[row.entry]
        entry.place = row.place
        if pay:
            money.pay(entry, prizes[row.entry])
        placed.append(entry)
    return placed


def by_chips(field: Field, stacks: Mapping[int, int]) -> list[SimulatedEntry]:
    """Place the live entries by their chips, best first (T-11, Y-03)."""
    live = []
    for placed in formats.places_by_chips(stacks):
        entry = field.entries[placed.entry]
        entry.place = placed.place
        live.append(entry)
    return live


def end(options: SimulationOptions, money: Money, field: Field) -> None:
    """End by format: places and prizes of the live entries (F-06, F-07, K-08, T-07)."""
    assert money.pool is not None
    if options.format_rules.half_wins:
        _end_at_half(options, money, field)
        return
    place(options, money, field)
    live = sorted(field.in_play(), key=lambda entry: (-entry.chips, entry.number))
    if len(live) == 1:
        live[0].place = 1
        rest = money.prizes[0] if money.prizes else 0
        assert not options.cash_value or rest == live[0].chips, (
            "the rest of the pool equals the winner's chips"
        )
        money.pay(live[0], rest)
    else:
        # Satellites: all live entries win an equal prize, so their order has no meaning.
        for number, entry in enumerate(live, start=1):
            entry.place = number
            money.pay(entry, money.prizes[number - 1] if number <= len(money.prizes) else 0)
    if rest := money.bank[POOL]:
        assert options.format_rules.pays_tickets and not options.winners_cash, (
            "the pool is paid in full"
        )
        money.to_room(rest)
    _won(live)


def end_by_time(options: SimulationOptions, money: Money, field: Field) -> None:
    """End by time: place the live players by chips; pay by table or by chips (T-11)."""
    assert money.pool is not None
    place(options, money, field)
    stacks = _stacks(field)
    live = by_chips(field, stacks)
    if options.time_up == "proportional":
        unpaid = money.bank[POOL]
        shares = formats.proportional(unpaid, [entry.chips for entry in live])
        for entry, share in zip(live, shares, strict=True):
            money.pay(entry, share)
    else:
        prizes = payouts.shared(money.prizes, formats.places_by_chips(stacks))
        for entry in live:
            money.pay(entry, prizes[entry.number])
    _won(live)


def end_by_deal(options: SimulationOptions, money: Money, field: Field, kind: deals.Kind) -> None:
    """End by an agreed deal: share the unpaid prizes, places go by chips (Y-01..Y-03)."""
    place(options, money, field)
    live = by_chips(field, _stacks(field))
    unpaid = [prize for prize in money.prizes[: len(live)] if prize]
    stacks = [entry.chips for entry in live]
    shares = deals.shares(kind, stacks, unpaid, by_chips=options.deal_by_chips)
    for entry, share in zip(live, shares, strict=True):
        money.pay(entry, share)
    _won(live)


def cancel(options: SimulationOptions, money: Money, field: Field) -> bool:
    """Cancel early: refund everything, or pay the unpaid money to live entries (T-12).

    Returns whether everything was refunded, heads included.
    """
    if options.cancel == "roll_back" and not any(e.prize for e in field.entries.values()):
        money.take_back_bounties()
        money.to_room(money.overlay)
        for entry in field.entries.values():
            money.refund(entry)
            entry.state, entry.place, entry.head = "refunded", 0, 0
        return True
    place(options, money, field)
    live = field.in_play()
    forward = _forward(options, money, live)
    for entry, share, fee in zip(live, forward.shares, forward.fees, strict=True):
        entry.prize, entry.back, entry.state = share, fee, "refunded"
        money.bank.move({POOL: -share, FEES: -fee, player(entry.user): share + fee})
    money.to_room(money.bank[POOL])
    return False


def _forward(
    options: SimulationOptions, money: Money, live: Sequence[SimulatedEntry]
) -> RolledForward:
    """Return the live entries' parts; chips with cash value are their own prize (T-12, A-04)."""
    fees = [entry.paid_fee for entry in live]
    if options.cash_value:
        shares = tuple(entry.chips for entry in live)
        return RolledForward(shares, tuple(fees), (0,) * len(live), 0, False)
    return cancellation.roll_forward(
        [entry.chips for entry in live],
        [prize for prize in money.prizes[: len(live)] if prize],
        fees=fees,
        bounties=[0] * len(live),
        overlay=min(max(0, money.overlay), money.bank[POOL]),
    )


def _end_at_half(options: SimulationOptions, money: Money, field: Field) -> None:
    """End at half: the live half shares, equally or half of it by chips (F-06, F-07, F-09)."""
    assert money.pool is not None
    paid = formats.places_paid_by_half(len(field.entries))
    place(options, money, field, pay=False)
    live = by_chips(field, _stacks(field))
    filling = sorted(
        (e for e in field.entries.values() if e.state == "out" and e.place <= paid),
        key=lambda entry: entry.place,
    )[: paid - len(live)]
    winners = live + filling
    shares = options.format_rules.half_shares(money.pool, [entry.chips for entry in winners])
    for entry, share in zip(winners, shares, strict=True):
        money.pay(entry, share)
    _won(live)


def _stacks(field: Field) -> dict[int, int]:
    return {entry.number: entry.chips for entry in field.in_play()}


def _won(live: Sequence[SimulatedEntry]) -> None:
    for entry in live:
        entry.state = "won" if entry.place == 1 else "paid"
