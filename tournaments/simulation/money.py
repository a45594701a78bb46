"""Money of a simulated tournament: entries, chips, the pool, prizes and bounties."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from tournaments.engine import bounties, entries, payouts, spin
from tournaments.engine.lot import Lot
from tournaments.engine.satellites import TicketPrize, takes_ticket, ticket_prizes
from tournaments.simulation.bank import BOUNTY, FEES, POOL, ROOM, TICKETS, Bank, player
from tournaments.simulation.field import IN_PLAY, SimulatedEntry
from tournaments.simulation.options import SimulationOptions


class Money:
    """Money paid in and out; the pool is certain after `fix`."""

    def __init__(self, options: SimulationOptions) -> None:
        self.options = options
        self.bank = Bank()
        self.contributed = 0
        self.pool: int | None = None
        self.overlay = 0
        self.prizes: list[int] = []
        self.tickets: list[TicketPrize] = []
        self.paid_to: defaultdict[int, list[SimulatedEntry]] = defaultdict(list)
        self.drawn: spin.Spin | None = None
        self.at_end: dict[int, int] = {}
        self.paid_bounties: list[tuple[SimulatedEntry, str, int]] = []

    def enter(self, entry: SimulatedEntry) -> None:
        """Book the price of an entry: to the pool, to its own head, to the room (T-03, N-01)."""
        price = entry.paid_pool + entry.paid_bounty + entry.paid_fee
        self._pay(entry.user, price, entry.paid_pool, entry.paid_fee, entry.paid_bounty)

    def buy(self, entry: SimulatedEntry, price: int, fee: int) -> None:
        """Book a re-buy or add-on (E-04, E-05)."""
        assert self.pool is None, "nothing is bought after the pool is fixed"
        entry.paid_pool += price
        entry.paid_fee += fee
        self._pay(entry.user, price + fee, price, fee, 0)

    def fix(self, entrants: int, lot: Lot) -> None:
        """Fix overlay, pool and prizes after all buying (Z-01, E-07)."""
        assert self.pool is None, "a pool is fixed once"
        options = self.options
        if options.format_rules.draws_pool:
            self.drawn = spin.spin(spin.validate_odds(spin.ODDS), options.buy_in, lot)
            self.pool, self.overlay = self.drawn.pool, self.drawn.room_part
        else:
            self.pool = entries.prize_pool(
                contributions=self.contributed, added=options.added, guarantee=options.guarantee
            )
            self.overlay = self.pool - self.contributed
        self.bank.move({ROOM: -self.overlay, POOL: self.overlay})
        self.prizes = self._prizes(entrants)
        assert sum(self.prizes) <= self.pool, "prizes do not exceed the pool"

    def _prizes(self, entrants: int) -> list[int]:
        assert self.pool is not None
        options = self.options
        if options.format_rules.draws_pool:
            return spin.split(self.pool)
        if options.format_rules.half_wins:
            return []
        if options.format_rules.pays_tickets:
            self.tickets = ticket_prizes(
                self.pool, options.ticket_value, entrants, winners_cash=options.winners_cash
            )
            return self._by_place(self.tickets)
        return payouts.prizes(options.payout_preset, entrants, self.pool, buy_in=options.buy_in)

    def pay(self, entry: SimulatedEntry, prize: int) -> None:
        """Pay a prize once; a ticket is a liability of the room instead of money (K-04, Z-04)."""
        assert not entry.prize, "an entry is paid once"
        entry.prize = prize
        if not prize:
            return
        won = [t for t in self.tickets if t.place == entry.place and t.kind == "ticket"]
        # The target of a simulated satellite takes one entry of each player (K-08).
        held = sum(other.tickets > 0 for other in self.paid_to[entry.user])
        if won and takes_ticket(held, entries_max=1):
            entry.tickets = sum(ticket.amount for ticket in won)
        self.paid_to[entry.user].append(entry)
        cash = prize - entry.tickets
        self.bank.move({POOL: -prize, TICKETS: entry.tickets, player(entry.user): cash})

    def _by_place(self, prizes: list[TicketPrize]) -> list[int]:
        """Sum tickets and money of every place; a place may win both (K-07)."""
        amounts = [0] * max((prize.place for prize in prizes), default=0)
        for prize in prizes:
            amounts[prize.place - 1] += prize.amount
        return amounts

    @property
    def bubble_at(self) -> int:
        """Number of players left at which all of them win a ticket, else money (T-09)."""
        if self.options.format_rules.pays_tickets:
            return sum(1 for prize in self.tickets if prize.kind == "ticket")
        return sum(1 for prize in self.prizes if prize)

    def knock_out(self, out: SimulatedEntry, winners: Sequence[SimulatedEntry]) -> None:
        """Pay the bounties of an eliminated entry to the winners of its last chips (N-01..N-06)."""
        options = self.options
        heads = [winner.head for winner in winners]
        if out.head:
            cash, after = bounties.knock_out(
                out.head,
                options.progressive_bp,
                heads,
                odd_to_cash=options.bounty_odd_to_cash,
                out=[winner.state not in IN_PLAY for winner in winners],
            )
            out.head = 0
            for winner, paid, head in zip(winners, cash, after, strict=True):
                winner.head = head
                self._bounty(winner, paid, BOUNTY)
        if options.pro_bounty and out.is_pro:
            shares = bounties.room_bounty(options.pro_bounty, len(winners))
            for winner, paid in zip(winners, shares, strict=True):
                self._bounty(winner, paid, ROOM)

    def _bounty(self, winner: SimulatedEntry, amount: int, source: str) -> None:
        winner.bounties_won += amount
        if self.options.bounties_at_end and source == BOUNTY:
            self.at_end[winner.user] = self.at_end.get(winner.user, 0) + amount
        elif amount:
            self.paid_bounties.append((winner, source, amount))
            self.bank.move({source: -amount, player(winner.user): amount})

    def take_back_bounties(self) -> None:
        """Return every bounty to its payer, as if no entry had been knocked out (T-12)."""
        for winner, source, amount in self.paid_bounties:
            self.bank.move({player(winner.user): -amount, source: amount})
            winner.bounties_won -= amount
        self.paid_bounties, self.at_end = [], {}

    def end_bounties(self, left: Iterable[SimulatedEntry], nobodys: Sequence[int]) -> None:
        """Pay every live entry its own head; unclaimed heads go to the best (N-07, T-15)."""
        for number, entry in enumerate(left):
            head = bounties.winner_head(entry.head, nobodys if number == 0 else ())
            entry.head = 0
            if head:
                entry.bounties_won += head
                self.bank.move({BOUNTY: -head, player(entry.user): head})
        for user, amount in self.at_end.items():
            if amount:
                self.bank.move({BOUNTY: -amount, player(user): amount})
        self.at_end = {}

    def refund(self, entry: SimulatedEntry) -> None:
        """Refund the whole price of an entry (T-12 `roll_back`)."""
        entry.back = entry.paid_pool + entry.paid_fee + entry.paid_bounty
        self.bank.move(
            {
                POOL: -entry.paid_pool,
                FEES: -entry.paid_fee,
                BOUNTY: -entry.paid_bounty,
                player(entry.user): entry.back,
            }
        )

    def to_room(self, amount: int) -> None:
        """Return the rest of the pool to the room: an overlay, or a rest without a winner."""
        self.bank.move({POOL: -amount, ROOM: amount})

    def _pay(self, user: int, price: int, to_pool: int, fee: int, bounty: int) -> None:
        self.contributed += to_pool
        self.bank.move({player(user): -price, POOL: to_pool, FEES: fee, BOUNTY: bounty})
