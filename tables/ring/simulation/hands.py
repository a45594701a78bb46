"""One hand of a simulated ring table: planned, played by the hand engine, settled to the cent."""

from __future__ import annotations

from collections.abc import Sequence

from tables.engine.cards import ORDER
from tables.engine.events import Options, Rake
from tables.engine.positions import draw_button, next_positions
from tables.engine.rake_tables import RakedGame, rake_of
from tables.engine.result import result
from tables.engine.state import HandSetup, HandState, Player, Positions, Rules
from tables.engine.variants import VARIANTS
from tables.ring.engine.blinds import DealPlan, plan_deal, refusing
from tables.ring.engine.jackpots import JACKPOTS, feed, winners
from tables.ring.engine.rake_shares import contributions, shares
from tables.ring.simulation import bank, checks
from tables.ring.simulation.players import play_hand
from tables.ring.simulation.room import SimulatedRingRoom
from tables.ring.simulation.seats import SimulatedRingTable

CURRENCY = "EUR"
PAUSE_MS = 3_000
THINKING_MS = 4_000
MINUTE_MS = 60_000
DECKS = {name: sorted(variant.deck, key=ORDER.__getitem__) for name, variant in VARIANTS.items()}


def deal_and_settle(run: SimulatedRingRoom, table: SimulatedRingTable) -> int | None:
    """Play the next hand of a table; return its length in ms, None when nobody can be dealt in."""
    terms = table.terms
    seats = [session.at_deal() for session in table.sessions.values()]
    plan = plan_deal(
        table.previous,
        seats,
        terms.stakes,
        blinds=terms.blinds,
        straddle=terms.straddle,
        s0_order=terms.s0_order,
    )
    if plan is None:
        _sit_out(table, refusing(table.previous, seats, blinds=terms.blinds), run.now_ms)
        return None
    rake = rake_of(
        terms.rake_rows,
        RakedGame(terms.variant, CURRENCY, terms.limit, len(plan.dealt), terms.stakes.small_blind),
        no_flop_no_drop=terms.no_flop_no_drop,
        per_street=terms.rake_per_street,
    )
    positions = plan.positions or _first(run, table, plan)
    checks.check_plan(table, plan, positions)
    table.hands += 1
    deck = DECKS[terms.variant].copy()
    run.lot.shuffle(deck)
    options = Options(s0_order=terms.s0_order, rake=rake)
    setup = HandSetup(
        hand=table.hands,
        rules=Rules(terms.variant, terms.limit, terms.stakes, options),
        positions=positions,
        players=tuple(
            Player(
                seat,
                table.sessions[seat].chips,
                plan.posts.get(seat, ()),
                open_loser=run.lot.random() < 0.3,
            )
            for seat in plan.dealt
        ),
        deck=tuple(deck),
    )
    _hold_to(table, plan, run.now_ms)
    state, actions = play_hand(setup, run.lot)
    table.previous = positions
    _settle(run, table, state, rake)
    return PAUSE_MS + actions * THINKING_MS


def _first(run: SimulatedRingRoom, table: SimulatedRingTable, plan: DealPlan) -> Positions:
    """Draw the button of a table's first hand (C-04)."""
    deck = DECKS[table.terms.variant].copy()
    run.lot.shuffle(deck)
    button = draw_button(dict(zip(plan.dealt, deck, strict=False)))
    return next_positions(
        None,
        plan.dealt,
        frozenset(),
        button=button,
        s0_order=table.terms.s0_order,
        blinds=table.terms.blinds,
    )


def _hold_to(table: SimulatedRingTable, plan: DealPlan, now_ms: int) -> None:
    """Note on every session what the deal means for it."""
    for seat, session in table.sessions.items():
        session.owed = plan.owes[seat]
        session.penalty -= plan.penalties.get(seat, 0)
        if seat in plan.dealt:
            session.is_new = False
    _sit_out(table, plan.refused, now_ms)


def _sit_out(table: SimulatedRingTable, refused: Sequence[int], now_ms: int) -> None:
    """Let the seats that refuse the big blind sit out."""
    for seat in refused:
        table.sessions[seat].absent_since_ms = now_ms


def _settle(
    run: SimulatedRingRoom, table: SimulatedRingTable, state: HandState, rake: Rake | None
) -> None:
    """Book rake, feeding and jackpots of a finished hand, and its chips."""
    outcome = result(state)
    run.expected_rake += checks.expected_rake(state, rake)
    split = shares(contributions(outcome), outcome.rake)
    for seat, amount in split.items():
        table.sessions[seat].rake_paid += amount
        run.attributed += amount
    _feed_jackpots(run, table, outcome.rake)
    for stack in outcome.stacks_after:
        session = table.sessions[stack.seat]
        session.chips = stack.chips
        if not stack.chips:
            session.rebuy_until_ms = run.now_ms + table.terms.rebuy_ms
    _pay_jackpots(run, table, state)


def _feed_jackpots(run: SimulatedRingRoom, table: SimulatedRingTable, rake: int) -> None:
    left = rake
    for kind in table.terms.jackpots:
        part = feed(rake, JACKPOTS[kind].feed)
        run.bank.move(f"feed:{kind}", bank.ring(table.number), bank.jackpot(kind), part)
        run.expected_feed[kind] += rake * JACKPOTS[kind].feed // 10_000
        left -= part
    run.bank.move("rake", bank.ring(table.number), bank.RAKE, left)


def _pay_jackpots(run: SimulatedRingRoom, table: SimulatedRingTable, state: HandState) -> None:
    for kind in table.terms.jackpots:
        account = bank.jackpot(kind)
        pool = run.bank.balances[account]
        minute = run.now_ms // MINUTE_MS
        fall = winners(state, JACKPOTS[kind], pool, minute=minute % (24 * 60))
        if fall is None:
            continue
        run.falls[kind] += 1
        for payment in fall.payments:
            player = bank.player(table.sessions[payment.seat].player)
            run.bank.move(f"paid:{kind}", account, player, payment.amount)
        run.bank.move(f"room:{kind}", account, bank.RAKE, fall.room)
        assert run.bank.balances[account] == fall.next_pool, f"{kind} is not paid to the cent"
