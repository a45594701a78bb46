"""Time between two hands of a simulated table: who leaves, comes, buys, sits out, changes mind."""

from __future__ import annotations

from config.refusals import Refusal
from tables.ring.engine.buy_in import (
    automatic_top_up,
    buy_in_limits,
    check_buy_in,
    check_top_up,
    least_return,
)
from tables.ring.engine.sitting_out import reason_to_free
from tables.ring.engine.waiting import WaitingEntry, offer_is_open, plan_offers
from tables.ring.simulation import bank
from tables.ring.simulation.room import SimulatedRingRoom
from tables.ring.simulation.seats import SimulatedRingTable, SimulatedSession

POCKET = 500_000
"""Play money that a player gets whenever the account does not cover a seat."""


def pass_boundary(run: SimulatedRingRoom, table: SimulatedRingTable) -> None:
    """Do everything that happens between two hands, in the order of the live room."""
    _free_seats(run, table)
    _take_chips(run, table)
    _fill_seats(run, table)
    for session in table.sessions.values():
        _change_mind(run, table, session)


def _free_seats(run: SimulatedRingRoom, table: SimulatedRingTable) -> None:
    for session in list(table.sessions.values()):
        reason = reason_to_free(session.at_boundary(), table.terms.kept, run.now_ms)
        if reason is None:
            continue
        chips = session.chips + session.coming
        run.bank.move("cash_out", bank.ring(table.number), bank.player(session.player), chips)
        table.left[session.player] = (chips, run.now_ms)
        del table.sessions[session.seat]
        run.freed[reason] += 1


def _take_chips(run: SimulatedRingRoom, table: SimulatedRingTable) -> None:
    """Put chips that were paid in front of their seats, and buy where the player asked for it."""
    terms = table.terms
    for session in table.sessions.values():
        amount = 0
        if session.tops_up or session.rebuy_until_ms is not None:
            covered = run.bank.balances[bank.player(session.player)]
            amount = automatic_top_up(
                session.chips,
                session.coming,
                covered,
                least=terms.buy_in_min,
                most=terms.buy_in_max,
            )
            if not session.tops_up and run.lot.random() < 0.5:
                amount = 0
        elif run.lot.random() < 0.02:
            amount = run.lot.randrange(terms.buy_in_max + 1)
        if amount and not _refused(run, table, session, amount):
            run.bank.move("buy_in", bank.player(session.player), bank.ring(table.number), amount)
            session.coming += amount
        session.chips += session.coming
        session.coming = 0
        if session.chips:
            session.rebuy_until_ms = None


def _refused(
    run: SimulatedRingRoom, table: SimulatedRingTable, session: SimulatedSession, amount: int
) -> bool:
    if amount > run.bank.balances[bank.player(session.player)]:
        run.refusals["insufficient_funds"] += 1
        return True
    try:
        check_top_up(
            session.chips,
            session.coming,
            amount,
            least=table.terms.buy_in_min,
            most=table.terms.buy_in_max,
        )
    except Refusal as refusal:
        run.refusals[refusal.code] += 1
        return True
    return False


def _fill_seats(run: SimulatedRingRoom, table: SimulatedRingTable) -> None:
    """Seat players from the waiting list and from the door; a full table has them wait."""
    held = {
        entry.offer
        for entry in table.waiting.values()
        if entry.offer is not None and offer_is_open(entry, run.now_ms)
    }
    for entry in list(table.waiting.values()):
        if entry.offer is not None and offer_is_open(entry, run.now_ms) and run.lot.random() < 0.5:
            del table.waiting[entry.entry]
            _sit(run, table, entry.entry, entry.offer.seat)
            held.discard(entry.offer)
    plan = plan_offers(table.waiting.values(), table.free_seats(), now_ms=run.now_ms)
    for number in plan.expired:
        del table.waiting[number]
        run.freed["offer_expired"] += 1
    for number, place in plan.offers.items():
        until_ms = run.now_ms + table.terms.offer_ms
        table.waiting[number] = table.waiting[number]._replace(offer=place, until_ms=until_ms)
        held.add(place)
    if len(table.sessions) >= 2 and run.lot.random() > 0.3:
        return
    number = run.lot.randrange(1, run.players + 1)
    here = {session.player for session in table.sessions.values()}
    if number in here or number in table.waiting:
        return
    free = [place for place in table.free_seats() if place not in held]
    if free:
        _sit(run, table, number, run.lot.choice(free).seat)
    elif len(table.waiting) < run.players // 4:
        table.waiting[number] = WaitingEntry(number, run.now_ms)


def _sit(run: SimulatedRingRoom, table: SimulatedRingTable, number: int, seat: int) -> None:
    """Pay for a seat; a player asks for any amount first and then for one that is allowed."""
    terms, account = table.terms, bank.player(number)
    chips, left_ms = table.left.get(number, (0, -terms.return_ms - 1))
    brought = least_return(chips, left_ms, run.now_ms, return_ms=terms.return_ms)
    amount = run.lot.randrange(terms.buy_in_min * 9 // 10, terms.buy_in_max * 11 // 10)
    try:
        check_buy_in(amount, least=terms.buy_in_min, most=terms.buy_in_max, brought=brought)
    except Refusal as refusal:
        run.refusals[refusal.code] += 1
        amount, _most = buy_in_limits(
            least=terms.buy_in_min, most=terms.buy_in_max, brought=brought
        )
    if run.bank.balances[account] < amount:
        run.refusals["insufficient_funds"] += 1
        run.bank.move("gift", bank.BANK, account, POCKET)
        return
    run.bank.move("buy_in", account, bank.ring(table.number), amount)
    table.sessions[seat] = SimulatedSession(
        player=number, seat=seat, coming=amount, posts_now=run.lot.random() < 0.4
    )
    table.sessions[seat].chips, table.sessions[seat].coming = amount, 0


def _change_mind(
    run: SimulatedRingRoom, table: SimulatedRingTable, session: SimulatedSession
) -> None:
    chance = run.lot.random()
    if session.absent_since_ms is None:
        if chance < 0.03:
            session.absent_since_ms = run.now_ms
            session.disconnected = chance < 0.01
        elif chance < 0.04:
            session.leaving = True
        elif chance < 0.05:
            session.skips_big_blind = True
        elif chance < 0.06:
            session.penalty += table.terms.buy_in_min // run.lot.choice((2, 10, 40))
        elif chance < 0.2:
            session.straddles = not session.straddles
            session.tops_up = chance < 0.1
    elif chance < 0.15:
        session.absent_since_ms, session.disconnected = None, False
        session.posts_now, session.skips_big_blind = chance < 0.08, False
