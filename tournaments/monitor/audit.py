"""Invariants of a live room; every violation is reported as one sentence."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from django.db import connection, transaction
from django.db.models import F, Q, QuerySet, Sum

from accounts.ledger import checkpoints
from accounts.ledger.proof import balance_proof
from accounts.models import Account, AccountKind
from config.heartbeat import heart
from config.postgres.statements import BuiltOnce
from tables.models import Seat, Table
from tournaments.locks import DIRECTOR
from tournaments.models import Entry, Move, Offer, Tournament
from tournaments.models.tournament import State
from tournaments.monitor import audit_rows
from tournaments.monitor.audit_rows import Rows
from tournaments.prizes import tickets

PLAYING = (State.RUNNING, State.PAUSED, State.FROZEN)
COUNTED = (*PLAYING, State.FINISHED)

Found = tuple[int | None, str]
"""Tournament whose law is violated, None for one of the room, and the sentence."""


def audit_tournaments(tournament_id: int | None = None) -> list[str]:
    """List every violation of all tournaments or of one, in one snapshot of PostgreSQL."""
    return [sentence for _, sentence in violations(tournament_id)]


def violations(tournament_id: int | None = None, among: Q | None = None) -> list[Found]:
    """List every violation with its tournament, in one snapshot of PostgreSQL.

    With `among` only such tournaments are looked at, of those that have started, and of the ledger
    what is after its checkpoint.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        return list(_all(tournament_id, among))


def _all(tournament_id: int | None, among: Q | None) -> Iterator[Found]:
    booked = whole_ledger() if among is None else checkpoints.recent_violations()
    of_room = chain(booked, ticket_liability(), registrations(tournament_id), shares(tournament_id))
    yield from ((None, violation) for violation in of_room)
    rows = Tournament.objects.filter(among or Q(), state__in=COUNTED).order_by("pk")
    if tournament_id is not None:
        rows = rows.filter(pk=tournament_id)
    for tournament in rows:
        heart.beat()  # a check of many tournaments takes longer than a heart may pause
        known = audit_rows.of(tournament)
        pk, broken = tournament.pk, chain.from_iterable(law(known) for law in LAWS)
        yield from ((pk, f"tournament {pk}: {violation}") for violation in broken)


def whole_ledger() -> Iterator[str]:
    """Violations of the ledger: its sum is 0, balances equal postings, none is below its limit."""
    proof = balance_proof()
    if proof.total != 0:
        yield f"the ledger sums to {proof.total}, not to zero"
    yield from proof.violations


def ticket_liability() -> Iterator[str]:
    """Violations of: what is owed for tickets is what the valid ones are worth (K-01)."""
    held = Account.objects.filter(kind=AccountKind.TICKET).aggregate(sum=Sum("balance", default=0))
    worth = tickets.liability()
    if held["sum"] != worth:
        yield f"{held['sum']} are owed for tickets, the valid ones are worth {worth}"


def registrations(tournament_id: int | None = None) -> Iterator[str]:
    """Violations of: until the start, pool and bounties hold what the registered entries paid.

    So they do between two batches of refunds, for the entries that are not refunded yet (T-12).
    """
    if tournament_id is None:
        paid = _PAID.rows()
    else:
        paid = list(_paid().filter(pk=tournament_id))
    rows = {row.member: row for row in paid}
    kinds = (AccountKind.POOL, AccountKind.BOUNTY)
    accounts = Account.objects.filter(kind__in=kinds, ref__in=rows).order_by("pk")
    held = {(kind, ref): held for kind, ref, held in accounts.values_list("kind", "ref", "balance")}
    for member, row in rows.items():
        when = "between refunds" if row.refunding else "before the start"
        for kind, due in zip(kinds, (row.buy_ins, row.heads), strict=True):
            if (holds := held.get((kind, member), 0)) != due:
                yield (
                    f"tournament {row.pk}: {when} the {kind} account holds {holds},"
                    f" its entries paid {due}"
                )


def _paid() -> QuerySet[Any]:
    """Tournaments before their start or between refunds, with what their entries paid."""
    live = Q(entries__state__in=(*Entry.LIVE, *Entry.PLAYED))
    # Only cancelled tournaments are refunded or shared: an index finds them by that.
    refunded = Q(state=State.CANCELLED, refunding=True)
    waiting = Tournament.objects.filter(Q(state=State.REGISTERING) | refunded)
    return waiting.order_by("pk").annotate(
        buy_ins=Sum("entries__paid_buy_in", filter=live, default=0),
        heads=Sum("entries__paid_bounty", filter=live, default=0),
    )


_PAID = BuiltOnce(_paid)


def shares(tournament_id: int | None = None) -> Iterator[str]:
    """Violations of: between batches of shares, pool and bounties hold what is unpaid (T-12)."""
    cancelled = Tournament.objects.filter(state=State.CANCELLED)
    sharing = cancelled.filter(sharing__isnull=False).order_by("pk")
    if tournament_id is not None:
        sharing = sharing.filter(pk=tournament_id)
    for row in sharing:
        won = F("head") + F("bounties_won") if row.bounties_at_end else F("head")
        due = row.entries.filter(pk__gt=row.sharing).aggregate(
            pool=Sum("prize", default=0, filter=Q(state__in=Entry.IN_PLAY)),
            bounty=Sum(won, default=0),
        )
        accounts = Account.objects.filter(kind__in=due, ref=row.member)
        held = dict(accounts.values_list("kind", "balance"))
        for kind, unpaid in due.items():
            if (holds := held.get(kind, 0)) != unpaid:
                yield (
                    f"tournament {row.pk}: between shares the {kind} account holds {holds},"
                    f" {unpaid} are unpaid"
                )


def chips(rows: Rows) -> Iterator[str]:
    """Violations of: chips at seats and in moves are the chips sold, while play lasts."""
    if rows.tournament.state not in PLAYING:
        return
    sold = sum(entry.chips_bought - entry.dead_chips for entry in rows.played)
    at_seats = sum(seat.chips for seat in rows.seats)
    moving = sum(rows.leaving.values()) + rows.merging
    if at_seats + moving != sold:
        yield f"{sold} chips sold, {at_seats} at seats and {moving} on the way"


def seats(rows: Rows) -> Iterator[str]:
    """Violations of: every live entry, and no other, has one seat or is on the way to one."""
    playing = rows.tournament.state in PLAYING
    users = {entry.pk: entry.user for entry in rows.entries if entry.state in Entry.IN_PLAY}
    for seat in rows.seats:
        if playing and seat.user != users.get(seat.entry):
            yield (
                f"user {seat.user} sits as entry {seat.entry}, which is not theirs or not in play"
            )
        if seat.status != Table.Status.OPEN:
            yield f"entry {seat.entry} sits at a closed table"
    if not playing:
        return
    sitting, moving = {seat.entry for seat in rows.seats}, rows.leaving.keys()
    for pk in sorted(sitting & moving):
        yield f"entry {pk} sits at a table and is on the way to one"
    live = {entry.pk for entry in rows.entries if entry.state == Entry.State.SEATED}
    for pk in sorted(live - sitting - moving):
        yield f"entry {pk} is in play and sits nowhere"


def apart(rows: Rows) -> Iterator[str]:
    """Violations of: live entries of one player are at different tables or moving there (E-03)."""
    users = {entry.pk: entry.user for entry in rows.entries if entry.state in Entry.IN_PLAY}
    at = {seat.entry: seat.table for seat in rows.seats} | rows.heading
    together: dict[tuple[int, int], list[int]] = defaultdict(list)
    for pk in sorted(at.keys() & users.keys()):
        together[at[pk], users[pk]].append(pk)
    for (table, user), entries in together.items():
        if len(entries) > 1:
            yield f"user {user} has entries {entries} at table {table}"


def hands(rows: Rows) -> Iterator[str]:
    """Violations of: hands of a table are settled once, in order, from number 1."""
    settled = Counter(table for table, _ in rows.hands)
    for pk, hand in rows.tables.items():
        if settled[pk] != hand:
            yield f"table {pk} is at hand {hand} with {settled[pk]} hands settled"
    latest: dict[int, int] = {}
    for pk, number in rows.hands:
        if number != latest.get(pk, 0) + 1:
            yield f"table {pk} settled hand {number} after hand {latest.get(pk, 0)}"
        latest[pk] = number


def places(rows: Rows) -> Iterator[str]:
    """Violations of: places are given from the last up, once apart from ties, all at the end.

    The places of a hand-for-hand round are given together, after its last hand (T-07, T-09). Below
    those that went out later, entries may still wait for theirs since the end of sales (E-07).
    """
    finished = rows.tournament.state == State.FINISHED
    entrants = rows.tournament.entrants
    given = Counter(entry.place for entry in rows.entries if entry.place is not None)
    out = [row for row in rows.played if row.state not in Entry.IN_PLAY]
    waiting = 0 if finished else sum(row.place is None for row in out)
    first = 1 if finished else entrants - given.total() - waiting + 1
    for place, times in sorted(given.items()):
        if place == first + waiting:
            first, waiting = place, 0
        if place != first:
            yield f"place {place} was given where {first} was due"
        first += times
    if rows.placed_early:
        yield f"{rows.placed_early} places were given in a round that is still open"
    if finished and given.total() != entrants:
        yield f"{given.total()} of {entrants} entries have a place"


def money(rows: Rows) -> Iterator[str]:
    """Violations of: the pool holds what came in less what was paid; at the end it is empty."""
    pool, held = rows.tournament.pool, rows.pool or 0
    unpaid = rows.unpaid
    prizes = sum(entry.prize for entry in rows.paying) - sum(unpaid.values())
    due = (sum(entry.paid_buy_in for entry in rows.paying) if pool is None else pool) - prizes
    if held != due:
        yield f"the pool account holds {held}, it should hold {due}"
    if pool is not None and rows.reserve:
        yield f"{rows.reserve} are still set aside for a pool that is fixed"
    won = {entry.pk: entry.prize for entry in rows.entries}
    for pk in sorted(won.keys() | rows.prizes.keys()):
        prize, booked = won.get(pk, 0), rows.prizes.get(pk, 0)
        if prize != booked + unpaid.get(pk, 0):
            yield f"entry {pk} won {prize} and was paid {booked}"
    prizes += sum(unpaid.values())
    if rows.tournament.state == State.FINISHED and prizes != pool:
        yield f"prizes of {prizes} from a pool of {pool}"


def bounties(rows: Rows) -> Iterator[str]:
    """Violations of: bounties paid in, by players and room, are on heads or won (N-01..N-07)."""
    paid = sum(entry.paid_bounty for entry in rows.paying)
    heads = sum(entry.head for entry in rows.paying)
    won = sum(entry.bounties_won for entry in rows.paying)
    came = paid - rows.heads.get(AccountKind.ROOM, 0)
    if came != heads + won:
        yield f"{came} came in for bounties, {heads} are on heads and {won} were won"
    held, due = rows.bounty or 0, came - rows.heads.get(AccountKind.PLAYER, 0)
    if held != due:
        yield f"the bounty account holds {held}, it should hold {due}"
    if rows.tournament.state == State.FINISHED and held != rows.unpaid_bounties:
        yield f"the bounty account ends with {held}, {rows.unpaid_bounties} are unpaid"


def sold_chips(tournament: Tournament) -> int:
    """Chips bought into play, less the dead chips of entries that left play (T-15, A-04)."""
    played = tournament.entries.filter(state__in=Entry.PLAYED)
    sums = played.aggregate(
        bought=Sum("chips_bought", default=0), dead=Sum("dead_chips", default=0)
    )
    return int(sums["bought"] - sums["dead"])


def seated_chips(tournament: Tournament) -> int:
    """Chips at the seats of the tournament's tables."""
    rows = Seat.objects.filter(table__director=DIRECTOR, table__game=tournament.pk)
    return int(rows.aggregate(sum=Sum("chips", default=0))["sum"])


def moving_chips(tournament: Tournament) -> int:
    """Chips of entries between two tables, and of merges not yet given."""
    rows = tournament.moves.filter(state=Move.State.LEFT)
    merging = tournament.offers.filter(kind=Offer.Kind.MERGE, state=Offer.State.ACCEPTED)
    return sum(
        int(source.aggregate(sum=Sum("chips", default=0))["sum"]) for source in (rows, merging)
    )


def paid_prizes(tournament: Tournament) -> int:
    """Prizes in the ledger of the tournament's players, in cents."""
    return sum(audit_rows.booked(tournament)[0].values())


LAWS: tuple[Callable[[Rows], Iterator[str]], ...] = (
    *(chips, seats, apart, hands),
    *(places, money, bounties),
)
