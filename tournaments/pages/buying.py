"""Pages for buying during play: answers to offers, and requests for re-buys."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.ledger.transfers import held_by
from accounts.models import User
from accounts.refusals import words_of
from config.numbers import whole
from config.refusals import Refusal
from tournaments.entries import privacy
from tournaments.models import Offer
from tournaments.pages.lobby import login_first, visitor, wants_json
from tournaments.refusals import NoSuchOffer
from tournaments.running import sales

ANSWERS = ("buy", "decline")


@never_cache
@require_POST
def answer(request: HttpRequest, pk: int) -> HttpResponse:
    """Accept or decline an offer: `answer` is buy or decline (E-02, E-04, E-05)."""
    reply = request.POST.get("answer", "")
    if reply not in ANSWERS:
        words = _("An offer is answered with one of: %(answers)s.") % {
            "answers": ", ".join(ANSWERS)
        }
        return _say(request, False, "bad_answer", words, status=400)
    return _do(request, lambda user: sales.answer(user, pk, buy=reply == "buy"))


@never_cache
@require_POST
def rebuy(request: HttpRequest, pk: int) -> HttpResponse:
    """Request a re-buy for a seat in play; `entry` names one of several own entries (E-04)."""
    named = request.POST.get("entry", "")
    entry = whole(named)
    if named and entry is None:
        return _say(request, False, "bad_entry", _("An entry is named by its number."), status=400)

    def request_rebuy(user: User) -> Offer:
        privacy.need_listed(user, pk)
        return sales.request_rebuy(user, pk, entry)

    return _do(request, request_rebuy)


def _do(request: HttpRequest, act: Callable[[User], Offer]) -> HttpResponse:
    user = visitor(request)
    if user is None:
        return login_first(request)
    try:
        offer = act(user)
    except Refusal as refusal:
        missing = refusal.code in (NoSuchOffer.code, "no_such_tournament")
        return _say(request, False, refusal.code, words_of(refusal), status=404 if missing else 409)
    return _say(request, True, offer.state, _words(offer))


def _words(offer: Offer) -> str:
    return {
        Offer.State.DONE: _("You have bought again."),
        Offer.State.ACCEPTED: _("You get your chips before the next hand."),
    }.get(Offer.State(offer.state), _("You have declined the offer."))


def _say(
    request: HttpRequest, ok: bool, code: str, message: str, *, status: int = 200
) -> HttpResponse:
    user = visitor(request)
    if wants_json(request):
        balance = held_by(user) if user else 0
        body = {"ok": ok, "code": code, "message": message, "balance": balance}
        return JsonResponse(body, status=status)
    (messages.success if ok else messages.error)(request, message)
    return redirect("lobby")
