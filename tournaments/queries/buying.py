"""What a player may buy now: the offers that wait for an answer, and a re-buy he may ask for."""

from __future__ import annotations

import msgspec

from accounts.models import User
from config import clock
from tables.models import Seat
from tournaments.buying import offers
from tournaments.events.buying import OfferMade
from tournaments.models import Entry, Offer, Tournament
from tournaments.refusals import TournamentRefusal


class Rebuy(msgspec.Struct, frozen=True):
    """A re-buy that may be asked for: chips, price and fee in cents, for one entry (E-04)."""

    entry: int
    price: int
    fee: int
    chips: int


def open_offers(user: User) -> list[OfferMade]:
    """Offers to this player whose clock still goes, as they were told."""
    rows = Offer.objects.filter(
        entry__user=user, state=Offer.State.OPEN, until_ms__gt=clock.database_now_ms()
    )
    return [offers.told(offer) for offer in rows.select_related("tournament").order_by("pk")]


def rebuy_for(tournament: Tournament, user: User, table: int | None = None) -> Rebuy | None:
    """The re-buy this player could ask for now for a seat with chips; None when there is none.

    For the seat at that `table`, if one is named: of several entries each buys its own (E-03).
    """
    if not tournament.rebuys_open:
        return None
    own = tournament.entries.filter(user=user, state=Entry.State.SEATED).order_by("pk")
    for entry in own:
        seat = Seat.objects.filter(entry=entry.pk).first()
        asked = entry.offers.filter(kind=Offer.Kind.REBUY, state__in=Offer.PENDING)
        if seat is None or table not in (None, seat.table_id) or asked.exists():
            continue
        try:
            offers.check_rebuy(tournament, entry, seat.chips)
        except TournamentRefusal:
            continue
        sold = offers.rebuy(tournament, entry, 0)
        return Rebuy(entry.pk, sold.price, sold.fee, sold.chips)
    return None
