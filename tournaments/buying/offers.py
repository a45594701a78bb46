"""Offers of re-buys, re-entries and add-ons, and their limits (E-02..E-05)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db import connection
from django.db.models import Exists, OuterRef, Q, Sum
from django.utils import timezone

from accounts.ledger import transfers
from accounts.models import User
from config import clock
from config.refusals import Refusal
from tournaments import progress
from tournaments.buying import slots
from tournaments.engine import entries
from tournaments.engine.refusals import NoMoreRebuys, RebuysOver
from tournaments.events.buying import OfferEnded, OfferMade
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.models import Entry, Offer, Tournament
from tournaments.prizes import tickets
from tournaments.refusals import NotInPlay

Kind = Offer.Kind

BATCH = 500
"""Offers that one transaction makes for a whole field, or closes when their time is over."""


def hold_busted_entries(tx: TournamentTransaction, busted: Sequence[Entry]) -> dict[int, Offer]:
    """Make offers to knocked-out entries and keep these pending; offers by entry (E-02, E-04).

    A pending entry counts as live until its offer is closed; entries without an offer are out. A
    re-buy requested during the hand is carried out as requested, and chips coming from a merged
    entry keep this entry in. The add-on is for entries with chips: it lapses unpaid even if
    requested, so that it never insures against the hand in play (E-05). So does a re-buy of an
    entry to be disqualified: its chips would leave play at once (T-15).
    """
    tournament = tx.tournament
    if tournament.pool is not None and not tournament.several_at_once:
        return {}
    barred = slots.to_be_disqualified(tournament, busted)
    unsold = Q(kind=Kind.ADD_ON) | Q(kind=Kind.REBUY, entry__in=barred)
    lapsed = Offer.objects.filter(unsold, entry__in=busted, state__in=Offer.PENDING)
    for offer in lapsed.select_related("entry").order_by("pk"):
        lapse_offer(tx, offer)
    asked = {
        offer.entry_id: offer
        for offer in Offer.objects.filter(
            entry__in=busted, kind__in=(Kind.REBUY, Kind.MERGE), state=Offer.State.ACCEPTED
        )
    }
    fresh = [
        new
        for entry in busted
        if entry.pk not in barred.union(asked) and (new := _offered(tournament, entry)) is not None
    ]
    _make(tx, fresh)
    held = asked | {offer.entry_id: offer for offer in fresh}
    Entry.objects.filter(pk__in=held).update(state=Entry.State.PENDING)
    return held


def offer_add_ons(tx: TournamentTransaction) -> None:
    """Offer the add-on to the next entries with chips, each for the whole time of an offer (E-05).

    `Tournament.offering` is the key of the last entry that had its turn, None when all had: a
    worker that dies between two batches leaves the rest to a later tick.
    """
    tournament = tx.tournament
    assert tournament.offering is not None and tournament.add_on_until_ms is not None
    until_ms = max(tournament.add_on_until_ms, clock.database_now_ms() + tournament.offer_ms)
    tournament.add_on_until_ms = until_ms
    seated = tournament.entries.filter(state=Entry.State.SEATED, pk__gt=tournament.offering)
    # Who entered or got chips since the first batch has an offer already.
    had = Offer.objects.filter(entry=OuterRef("pk"), kind=Kind.ADD_ON)
    due = list(seated.exclude(Exists(had)).order_by("pk")[:BATCH])
    _make(tx, [add_on(tournament, entry, until_ms) for entry in due])
    tournament.offering = due[-1].pk if len(due) == BATCH else None


def offer_add_on(tx: TournamentTransaction, entry: Entry) -> None:
    """Offer the add-on to an entry that gets chips while it is sold, at most once (E-05, E-07).

    An offer that lapsed before its time, as the entry lost its chips, does not count: they came
    back.
    """
    tournament = tx.tournament
    until_ms = tournament.add_on_until_ms
    if until_ms is None or tournament.hand_for_hand or tournament.time_over:
        return
    had = entry.offers.filter(kind=Kind.ADD_ON)
    if until_ms <= clock.database_now_ms() or not all(map(_lapsed, had)):
        return
    _make(tx, [add_on(tournament, entry, until_ms)])


def rebuy(tournament: Tournament, entry: Entry, until_ms: int) -> Offer:
    """Build the offer of a re-buy at this tournament's price, unsaved (E-04)."""
    return Offer(
        tournament=tournament,
        entry=entry,
        kind=Kind.REBUY,
        price=tournament.rebuy_price,
        fee=tournament.rebuy_fee,
        chips=tournament.rebuy_chips or tournament.starting_stack,
        until_ms=until_ms,
    )


def add_on(tournament: Tournament, entry: Entry, until_ms: int) -> Offer:
    """Build the offer of the add-on at this tournament's price, unsaved (E-05)."""
    return Offer(
        tournament=tournament,
        entry=entry,
        kind=Kind.ADD_ON,
        price=tournament.add_on_price,
        fee=tournament.add_on_fee,
        chips=tournament.add_on_chips or tournament.starting_stack,
        until_ms=until_ms,
    )


def check_rebuy(tournament: Tournament, entry: Entry, chips: int) -> None:
    """Refuse a re-buy outside its period, beyond its limit, or with too many chips (E-04)."""
    rebuys = tournament.rebuys
    if rebuys is None or not tournament.rebuys_open:
        raise RebuysOver
    entries.check_rebuy(
        rebuys,
        progress.reached(tournament),
        chips=chips,
        starting_stack=tournament.starting_stack,
        bought=_bought(tournament, entry),
    )


def check_limit(tournament: Tournament, entry: Entry) -> None:
    """Refuse an offered re-buy when another entry of the player has used up the limit (E-04).

    An offer made in the period may be accepted after it, so the period is not checked.
    """
    if _bought(tournament, entry) >= tournament.rebuys_max:
        raise NoMoreRebuys


def accepted_cost(user: User) -> int:
    """Return the cents of a player's purchases that wait for the boundaries of their tables."""
    rows = Offer.objects.filter(entry__user=user, state=Offer.State.ACCEPTED)
    sums = rows.aggregate(price=Sum("price", default=0), fee=Sum("fee", default=0))
    return int(sums["price"] + sums["fee"])


def told(offer: Offer) -> OfferMade:
    """Return the event that tells a player of an offer."""
    return OfferMade(
        tournament=offer.tournament_id,
        name=offer.tournament.name,
        offer=offer.pk,
        kind=offer.kind,
        price=offer.price,
        fee=offer.fee,
        chips=offer.chips,
        until_ms=offer.until_ms,
    )


def close_offer(tx: TournamentTransaction, offer: Offer, state: str, why: str = "") -> None:
    """Close a pending offer and tell its player."""
    close_offers(tx, [offer], state, why)


def lapse_offer(tx: TournamentTransaction, offer: Offer) -> None:
    """Close a pending offer of an entry that is out; tell a player whose purchase was accepted."""
    is_asked = offer.state == Offer.State.ACCEPTED and offer.kind != Kind.MERGE
    close_offer(tx, offer, Offer.State.EXPIRED, NotInPlay.code if is_asked else "")


def close_offers(
    tx: TournamentTransaction, pending: Sequence[Offer], state: str, why: str = ""
) -> None:
    """Close pending offers in one statement and tell their players."""
    rows = Offer.objects.filter(pk__in=[offer.pk for offer in pending], state__in=Offer.PENDING)
    closed = rows.update(state=state, closed_at=timezone.now())
    assert closed == len(pending), "a pending offer is closed exactly once"
    tournament = tx.tournament
    for offer in pending:
        offer.state = state
        ended = OfferEnded(tournament.pk, tournament.name, offer.pk, offer.kind, state, why)
        tx.notify(offer.entry.user_id, ended)


def _lapsed(offer: Offer) -> bool:
    """Return whether an offer ended without an answer, and before its time."""
    if offer.state != Offer.State.EXPIRED or offer.closed_at is None:
        return False
    return offer.closed_at.timestamp() * 1_000 < offer.until_ms


def prolong(tx: TournamentTransaction, since_ms: int, now_ms: int) -> None:
    """Give open offers the time of an outage back that they had, and tell their players (T-13).

    One statement for any field: the tick holds the row of the tournament meanwhile.
    """
    tournament = tx.tournament
    with connection.cursor() as cursor:
        given = {"tournament": tournament.pk, "since_ms": since_ms, "now_ms": now_ms}
        cursor.execute(_PROLONG, given)
        for user, *offered in sorted(cursor.fetchall(), key=lambda row: row[1]):
            tx.notify(user, OfferMade(tournament.pk, tournament.name, *offered))
    if tournament.add_on_until_ms is not None and tournament.add_on_until_ms > since_ms:
        tournament.add_on_until_ms += now_ms - since_ms


def withdraw(tx: TournamentTransaction) -> None:
    """Expire all pending offers of a tournament that is over or cancelled, except merges."""
    pending = tx.tournament.offers.filter(state__in=Offer.PENDING).exclude(kind=Kind.MERGE)
    close_offers(tx, list(pending.select_related("entry").order_by("pk")), Offer.State.EXPIRED)


def _offered(tournament: Tournament, entry: Entry) -> Offer | None:
    """Return the offer for a knocked-out entry; None when nothing is for sale or not covered."""
    if tournament.pool is not None:
        return None
    until_ms = clock.database_now_ms() + tournament.offer_ms
    offer = _rebuy_for(tournament, entry, until_ms)
    if offer is not None and transfers.held_by(entry.user) >= offer.cost:
        return offer
    offer = _reentry_for(tournament, entry, until_ms)
    if offer is not None and tickets.payment(entry.user, tournament) is not None:
        return offer
    return None


def _bought(tournament: Tournament, entry: Entry) -> int:
    """Return how many re-buys the player has had over all entries (E-03, E-04)."""
    own = tournament.entries.filter(user=entry.user_id)
    return int(own.aggregate(sum=Sum("rebuys", default=0))["sum"])


def _rebuy_for(tournament: Tournament, entry: Entry, until_ms: int) -> Offer | None:
    try:
        check_rebuy(tournament, entry, 0)
    except Refusal:
        return None
    return rebuy(tournament, entry, until_ms)


def _reentry_for(tournament: Tournament, entry: Entry, until_ms: int) -> Offer | None:
    """Build the offer of a re-entry at the full price while late registration lasts (E-02)."""
    own = slots.bought(entry.user_id, [tournament.pk])[tournament.pk]
    try:
        entries.check_entry(
            live=0,
            entered=len(own),
            entries_max=tournament.entries_max,
            several_at_once=tournament.several_at_once,
            is_open=progress.may_enter(tournament),
            is_barred=any(one.barred for one in own),
        )
    except Refusal:
        return None
    return Offer(
        tournament=tournament,
        entry=entry,
        kind=Kind.REENTRY,
        price=tournament.price - tournament.fee,
        fee=tournament.fee,
        chips=tournament.starting_stack,
        until_ms=until_ms,
    )


def _make(tx: TournamentTransaction, offers: Iterable[Offer]) -> None:
    saved = Offer.objects.bulk_create(offers)
    for offer in saved:
        tx.notify(offer.entry.user_id, told(offer))
    if saved:
        tx.wake(tx.tournament.offer_ms)


_PROLONG = """
UPDATE tournaments_offer o
   SET until_ms = o.until_ms + greatest(0, %(now_ms)s - greatest(
         %(since_ms)s, floor(extract(epoch FROM o.made_at) * 1000)::bigint))
  FROM tournaments_entry e
 WHERE e.id = o.entry_id AND o.tournament_id = %(tournament)s AND o.state = 'open'
   AND o.until_ms > %(since_ms)s
RETURNING e.user_id, o.id, o.kind, o.price, o.fee, o.chips, o.until_ms
"""
