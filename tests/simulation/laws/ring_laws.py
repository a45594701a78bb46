"""Laws of ring tables and rapid pools: every cent has its place, rake, blinds (R-02, R-03)."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterator

from accounts.models import Account, AccountKind, Posting
from tables.dealer.record import HandRecord
from tables.models import Hand, Seat
from tables.records import stored
from tables.ring.models import Jackpot, Penalty, RingSession
from tables.ring.money import DIRECTOR, DIRECTORS, RAPID
from tests.simulation.laws import rapid_law
from tests.simulation.laws.new_hands import NewHands
from tests.simulation.laws.orbit_law import OrbitLaw
from tests.simulation.laws.rapid_law import RapidLaw


class RingLaws:
    """Memory of the ring tables of a world: the hands seen, and who owes blinds."""

    def __init__(self) -> None:
        self._hands = NewHands()
        self._orbits: defaultdict[int, OrbitLaw] = defaultdict(OrbitLaw)
        self._rapid = RapidLaw()

    def look(self) -> Iterator[str]:
        """Return the violations since the last look; the caller reads one committed state."""
        yield from self._money()
        hands = Hand.objects.filter(table__director__in=DIRECTORS).select_related("table")
        for hand in self._hands.of(hands):
            kept = stored.decode(bytes(hand.record))
            yield from _rake(kept)
            yield from _booked(kept)
            yield from _jackpots(hand)
            yield from _penalties(kept)
            if hand.table.director == DIRECTOR:
                yield from self._orbits[hand.table_id].see(kept)
            else:
                yield from self._rapid.see(kept)

    def set_back(self) -> None:
        """Follow again what is left after PostgreSQL lost hands."""
        self._orbits.clear()
        self._rapid = RapidLaw()
        hands = Hand.objects.filter(table__director__in=DIRECTORS).select_related("table")
        for hand in self._hands.left(hands):
            kept = stored.decode(bytes(hand.record))
            is_ring = hand.table.director == DIRECTOR
            deque((self._orbits[hand.table_id] if is_ring else self._rapid).see(kept), maxlen=0)

    def at_the_end(self) -> Iterator[str]:
        """Return the violations when all games are closed: sessions or chips that are left."""
        yield from self.look()
        left = RingSession.objects.exclude(state=RingSession.State.LEFT).count()
        if left:
            yield f"{left} ring sessions are left"
        for ref, balance in _balances(AccountKind.RING).items():
            if balance:
                yield f"ring account {ref} ends with {balance}"

    def _money(self) -> Iterator[str]:
        """Return violations of: accounts, fees, jackpots and ring tables hold what was issued."""
        accounts = list(Account.objects.values_list("kind", "ref", "balance"))
        issued = -sum(balance for kind, _, balance in accounts if kind == AccountKind.BANK)
        held = sum(balance for kind, _, balance in accounts if kind != AccountKind.BANK)
        if held != issued:
            yield f"{issued} of play money was issued, all accounts hold {held}"
        chips: Counter[str] = Counter()
        seats = Seat.objects.filter(table__director=DIRECTOR).values_list("table", "chips")
        live = RingSession.objects.exclude(state=RingSession.State.LEFT)
        at_tables = live.filter(table__isnull=False).values_list("table", "coming")
        for table, amount in (*seats, *at_tables):
            chips[f"{DIRECTOR}:{table}"] += amount
        for game, amount in rapid_law.chips():
            chips[f"{RAPID}:{game}"] += amount
        held_at = {ref: balance for kind, ref, balance in accounts if kind == AccountKind.RING}
        for ref in sorted(held_at.keys() | chips.keys()):
            if held_at.get(ref, 0) != chips[ref]:
                yield f"ring account {ref} is for {chips[ref]} chips and has {held_at.get(ref, 0)}"


def _balances(kind: str) -> dict[str, int]:
    return dict(Account.objects.filter(kind=kind).values_list("ref", "balance"))


def _rake(kept: HandRecord) -> Iterator[str]:
    """Return violations of the rake, reckoned from the chips that were paid out (R-02)."""
    rake, taken = kept.setup.rules.options.rake, kept.result.rake
    pot = taken + sum(share.amount for award in kept.result.awards for share in award.winners)
    due = 0 if rake is None else min(pot * rake.basis_points // 10_000, rake.maximum)
    if rake is not None and due < rake.minimum:
        due = 0
    dropped = rake is not None and rake.no_flop_no_drop and not kept.result.board
    if taken != due and not (dropped and not taken):
        yield f"hand {kept.table}/{kept.hand}: rake {taken} of a pot of {pot}, due was {due}"


def _jackpots(hand: Hand) -> Iterator[str]:
    """Return violations of: a jackpot pays each role its share of the pool to the cent (J-02)."""
    won: defaultdict[tuple[int, int, str], list[int]] = defaultdict(list)
    for win in hand.jackpot_wins.order_by("pk"):
        won[win.jackpot_id, win.pool, win.role].append(win.amount)
    for (jackpot, pool, role), amounts in won.items():
        terms = Jackpot.objects.get(pk=jackpot).terms
        each = pool * getattr(terms, role) // 10_000 // len(amounts)
        if set(amounts) != {each}:
            yield f"hand {hand.table_id}/{hand.number}: {role} of a pool of {pool} got {amounts}"


def _penalties(kept: HandRecord) -> Iterator[str]:
    """Return violations of: a hand takes the penalties that name it, each once (P-03)."""
    entries = {seat.seat: seat.entry for seat in kept.seats}
    posted: Counter[int] = Counter()
    for player in kept.setup.players:
        for post in player.posts:
            if post.kind == "penalty":
                posted[entries[player.seat]] += post.amount
    ordered: Counter[int] = Counter()
    rows = Penalty.objects.filter(session__in=entries.values())
    for row in rows:
        if row.taken > row.amount or row.planned > row.amount:
            yield f"penalty {row.pk} of {row.amount} took {row.taken} and plans {row.planned}"
        if row.taken_hand == kept.hand:
            ordered[row.session_id] += row.taken
        elif row.planned_hand == kept.hand:
            ordered[row.session_id] += row.planned
    if +posted != +ordered:
        yield f"hand {kept.table}/{kept.hand}: penalties {dict(posted)}, ordered {dict(ordered)}"


def _booked(kept: HandRecord) -> Iterator[str]:
    """Return violations of: a hand's rake left the table's account once, for fees and jackpots."""
    rows = Posting.objects.filter(transfer__key=f"ring-rake:{kept.table}:{kept.hand}")
    booked: Counter[str] = Counter()
    for kind, amount in rows.values_list("account__kind", "amount"):
        booked[kind] += amount
    if -booked[AccountKind.RING] != kept.result.rake:
        yield (
            f"hand {kept.table}/{kept.hand}: {-booked[AccountKind.RING]} booked"
            f" of a rake of {kept.result.rake}"
        )
