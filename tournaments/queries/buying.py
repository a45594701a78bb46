"""A player's open offers, and the re-buy the player may ask for."""

from __future__ import annotations

import msgspec

from accounts.models import User
from config import clock
from config.postgres.statements import ANY_KEY, BuiltOnce
from config.refusals import Refusal
from tables.models import Seat
from tournaments.buying import offers
from tournaments.events.buying import OfferMade
from tournaments.models import Entry, Offer, Tournament


class Rebuy(msgspec.Struct, frozen=True):
    """A possible re-buy for one entry: chips, price and fee in cents (E-04)."""

    entry: int
    price: int
    fee: int
    chips: int


_OPEN_OFFERS = BuiltOnce(
    lambda user: (
        Offer.objects.filter(entry__user=user, state=Offer.State.OPEN)
        .select_related("tournament")
        .order_by("pk")
    ),
    ANY_KEY,
)


def open_offers(user: User) -> list[OfferMade]:
    """Return the player's offers with time left, as their events."""
    rows = _OPEN_OFFERS.rows(user.pk)
    # Nearly nobody has any: the clock is asked only where one may be over.
    now_ms = clock.database_now_ms() if rows else 0
    return [offers.told(offer) for offer in rows if offer.until_ms > now_ms]


def rebuy_for(tournament: Tournament, user: User, table: int | None = None) -> Rebuy | None:
    """Return the re-buy open to a player's seat with chips; None without one.

    With a `table`, for the seat at that table: each of several entries re-buys for itself (E-03).
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
        except Refusal:
            continue
        sold = offers.rebuy(tournament, entry, 0)
        return Rebuy(entry.pk, sold.price, sold.fee, sold.chips)
    return None
