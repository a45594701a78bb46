"""Route of the featured table: what its stream with cards has told of the present hand."""

from __future__ import annotations

from django.http import Http404, HttpRequest
from ninja import Router

from tables.cardsup.streams import read_told
from tables.cardsup.watching import FEATURED
from tournaments.api.access import ScopedBearer
from tournaments.api.bodies.answers import FeaturedAnswer
from tournaments.api.callers import caller, seen
from tournaments.api.problems import MissingPermission
from tournaments.models.options.cards_up import CardsUp
from tournaments.streams import cards_up

router = Router()


@router.get(
    "/tournaments/{int:pk}/featured",
    auth=ScopedBearer("cards:delayed"),
    response=FeaturedAnswer,
    url_name="api_featured",
)
def featured(request: HttpRequest, pk: int) -> FeaturedAnswer:
    """Return the hand that the featured table tells with all cards, as far as it was told."""
    tournament = seen(request, pk)
    if tournament.cards_up == CardsUp.OFF:
        raise Http404
    if not cards_up.may_follow(caller(request), tournament):
        raise MissingPermission
    delay_ms = cards_up.TournamentCardsUp().delay_ms(pk)
    return FeaturedAnswer(delay_ms=delay_ms, events=read_told(f"{FEATURED}:{pk}"))
