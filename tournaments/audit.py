"""Checks on a live room what can never happen; every finding is one sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from django.db import connection, transaction
from django.db.models import Count, Q, Sum

from accounts.models import Account, AccountKind, Posting
from accounts.proof import balance_proof
from tables.models import Hand, Seat, Table
from tournaments import tickets
from tournaments.locks import DIRECTOR
from tournaments.models import Entry, Move, Offer, Tournament
from tournaments.models.tournament import State

PLAYING = (State.RUNNING, State.PAUSED, State.FROZEN)
COUNTED = (*PLAYING, State.FINISHED)


def check(tournament_id: int | None = None) -> list[str]:
    """Every violation in one snapshot of PostgreSQL, of all tournaments or of one."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        return list(_all(tournament_id))


def _all(tournament_id: int | None) -> Iterator[str]:
    yield from ledger()
    rows = Tournament.objects.filter(state__in=COUNTED).order_by("pk")
    if tournament_id is not None:
        rows = rows.filter(pk=tournament_id)
    for tournament in rows:
        for law in LAWS:
            yield from (f"tournament {tournament.pk}: {found}" for found in law(tournament))


def ledger() -> Iterator[str]:
    """The ledger sums to zero, balances are their postings, nobody is below the limit."""
    proof = balance_proof()
    if proof.total != 0:
        yield f"the ledger sums to {proof.total}, not to zero"
    yield from proof.violations
    held = Account.objects.filter(kind=AccountKind.TICKET).aggregate(sum=Sum("balance", default=0))
    if held["sum"] != tickets.liability():
        yield f"{held['sum']} are owed for tickets, the valid ones are worth {tickets.liability()}"


def chips(tournament: Tournament) -> Iterator[str]:
    """Chips at seats and on the way are the chips sold, as long as somebody plays."""
    if tournament.state not in PLAYING:
        return
    sold = sold_chips(tournament)
    at_seats, moving = seated_chips(tournament), moving_chips(tournament)
    if at_seats + moving != sold:
        yield f"{sold} chips sold, {at_seats} at seats and {moving} on the way"


def seats(tournament: Tournament) -> Iterator[str]:
    """Every live entry sits at one seat or is on the way to one, and nobody else does."""
    held = dict(tournament.entries.filter(state=Entry.State.PENDING).values_list("pk", "user_id"))
    live = dict(tournament.entries.filter(state=Entry.State.SEATED).values_list("pk", "user_id"))
    sitting: set[int] = set()
    rows = Seat.objects.filter(table__director=DIRECTOR, table__game=tournament.pk)
    for entry, user, status in rows.values_list("entry", "user_id", "table__status"):
        sitting.add(entry)
        if user not in (live.get(entry), held.get(entry)) and tournament.state in PLAYING:
            yield f"user {user} sits as entry {entry}, which is not theirs or not in play"
        if status != Table.Status.OPEN:
            yield f"entry {entry} sits at a closed table"
    leaving = tournament.moves.filter(state=Move.State.LEFT)
    moving = set(leaving.values_list("entry_id", flat=True))
    if tournament.state in PLAYING:
        for entry in sorted(sitting & moving):
            yield f"entry {entry} sits at a table and is on the way to one"
        for entry in sorted(live.keys() - sitting - moving):
            yield f"entry {entry} is in play and sits nowhere"


def hands(tournament: Tournament) -> Iterator[str]:
    """Hands of a table settle once, from number 1 on, each after the one before."""
    rows = Table.objects.filter(director=DIRECTOR, game=tournament.pk)
    for table in rows.annotate(settled=Count("hands")).order_by("pk"):
        if table.settled != table.hand:
            yield f"table {table.pk} is at hand {table.hand} with {table.settled} hands settled"
    latest: dict[int, int] = {}
    found = Hand.objects.filter(table__in=rows).order_by("pk")
    for table_id, number in found.values_list("table_id", "number"):
        if number != latest.get(table_id, 0) + 1:
            yield f"table {table_id} settled hand {number} after hand {latest.get(table_id, 0)}"
        latest[table_id] = number


def places(tournament: Tournament) -> Iterator[str]:
    """Places from the last one up, each given once, ties aside; all of them at the end."""
    rows = tournament.entries.filter(place__isnull=False)
    given = sorted(rows.values_list("place", flat=True))
    first = 1 if tournament.state == State.FINISHED else tournament.entrants - len(given) + 1
    for place, times in sorted(Counter(given).items()):
        if place != first:
            yield f"place {place} was given where {first} was due"
        first += times
    if tournament.state == State.FINISHED and len(given) != tournament.entrants:
        yield f"{len(given)} of {tournament.entrants} entries have a place"


def money(tournament: Tournament) -> Iterator[str]:
    """The pool holds what came in and was not paid; at the end it is paid to the cent."""
    pool = Account.objects.filter(kind=AccountKind.POOL, ref=tournament.member).first()
    held = pool.balance if pool else 0
    played = tournament.entries.filter(state__in=(*Entry.LIVE, *Entry.PLAYED))
    sums = played.aggregate(prizes=Sum("prize", default=0), paid=Sum("paid_buy_in", default=0))
    due = (sums["paid"] if tournament.pool is None else tournament.pool) - sums["prizes"]
    if held != due:
        yield f"the pool account holds {held}, it should hold {due}"
    for entry, prize, booked in _payments(tournament):
        if prize != booked:
            yield f"entry {entry} won {prize} and was paid {booked}"
    if tournament.state == State.FINISHED and sums["prizes"] != tournament.pool:
        yield f"prizes of {sums['prizes']} from a pool of {tournament.pool}"


def bounties(tournament: Tournament) -> Iterator[str]:
    """What was paid for heads, by players and room, is on heads or was won (N-01..N-07)."""
    played = tournament.entries.filter(state__in=(*Entry.LIVE, *Entry.PLAYED))
    sums = played.aggregate(
        paid=Sum("paid_bounty", default=0),
        heads=Sum("head", default=0),
        won=Sum("bounties_won", default=0),
    )
    postings = Posting.objects.filter(transfer__key__startswith=f"bounty:{tournament.pk}:")
    booked = dict(postings.values_list("account__kind").annotate(sum=Sum("amount")))
    came = sums["paid"] - booked.get(AccountKind.ROOM, 0)
    if came != sums["heads"] + sums["won"]:
        yield (
            f"{came} came in for bounties, {sums['heads']} are on heads and {sums['won']} were won"
        )
    held = Account.objects.filter(kind=AccountKind.BOUNTY, ref=tournament.member).first()
    due = came - booked.get(AccountKind.PLAYER, 0)
    if (held.balance if held else 0) != due:
        yield f"the bounty account holds {held.balance if held else 0}, it should hold {due}"
    if held and held.balance and tournament.state == State.FINISHED:
        yield f"the bounty account ends with {held.balance}"


def sold_chips(tournament: Tournament) -> int:
    """Chips bought into play, less those that left play with their entries (T-15, A-04)."""
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
    """Chips in open moves that have left their old seat, and between merged entries."""
    rows = tournament.moves.filter(state=Move.State.LEFT)
    merging = tournament.offers.filter(kind=Offer.Kind.MERGE, state=Offer.State.ACCEPTED)
    return sum(
        int(found.aggregate(sum=Sum("chips", default=0))["sum"]) for found in (rows, merging)
    )


def paid_prizes(tournament: Tournament) -> int:
    """What the ledger paid to the tournament's players as prizes, in cents."""
    return sum(booked for _, _, booked in _payments(tournament))


def _payments(tournament: Tournament) -> Iterator[tuple[int, int, int]]:
    """(entry, prize it is said to have won, prize that was paid, in money or as a ticket)."""
    rows = Posting.objects.filter(
        Q(transfer__key__startswith=f"prize:{tournament.pk}:")
        | Q(transfer__key__startswith=f"cash_out:{tournament.pk}:"),
        account__kind__in=(AccountKind.PLAYER, AccountKind.TICKET),
    )
    booked: dict[int, int] = {}
    for key, amount in rows.values_list("transfer__key", "amount"):
        entry = int(key.rpartition(":")[2])
        booked[entry] = booked.get(entry, 0) + amount
    for entry, prize in tournament.entries.order_by("pk").values_list("pk", "prize"):
        yield entry, prize, booked.pop(entry, 0)
    for entry, amount in sorted(booked.items()):
        yield entry, 0, amount


LAWS: tuple[Callable[[Tournament], Iterator[str]], ...] = (
    *(chips, seats, hands, places),
    *(money, bounties),
)
