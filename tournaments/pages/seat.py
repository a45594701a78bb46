"""One click to a seat: the next tournament with room, after its price and the balance."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.money import text
from config.inputs.numbers import whole
from config.refusals import Refusal
from tournaments.entries import registration
from tournaments.models import Entry, Tournament
from tournaments.pages.entering import terms
from tournaments.pages.lobby import visitor
from tournaments.queries import lobby_rows


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def take_seat(request: HttpRequest) -> HttpResponse:
    """Show price and balance (GET), then register in the next tournament with room (POST)."""
    user = visitor(request)
    assert user is not None
    return _confirm(request, user) if request.method == "GET" else _register(request, user)


def _confirm(request: HttpRequest, user: User) -> HttpResponse:
    rows = lobby_rows.in_lobby(user)
    offers = lobby_rows.seats_on_offer(rows, user)
    if not offers:
        messages.error(request, _no_seat(rows))
        return redirect("lobby")
    tournament = get_object_or_404(Tournament, pk=offers[0].summary.tournament)
    context = {
        **terms(user, tournament),
        # The next tournament may be another by now: it is paid with money and costs no more than
        # this.
        "tickets": [],
        # For the same reason nobody consents here: without an answer cards stay hidden.
        "consent": None,
        "address": reverse("take_seat"),
        "most": tournament.price,
        "next": reverse("lobby"),
    }
    # Django-htmx adds `htmx` to each request.
    name = "tournaments/_dialog.html" if request.htmx else "tournaments/register.html"  # type: ignore[attr-defined]
    return render(request, name, context)


def _register(request: HttpRequest, user: User) -> HttpResponse:
    """Register in the next tournament if the first one's last seat was just taken.

    `price` is the price shown, in cents: a dearer tournament is never bought (A-01). `after` is the
    player's newest entry that the page knew: a repeated request buys no second seat.
    """
    price = whole(request.POST.get("price", ""))
    if price is None:
        messages.error(request, _("The price is missing or no amount: you were not registered."))
        return redirect("lobby")
    rows = lobby_rows.in_lobby(user)
    offers = lobby_rows.seats_on_offer(rows, user)
    after = whole(request.POST.get("after", ""))
    # Asked after the rows were read: an entry made before stands in them, one made later is found
    # under the lock of its tournament.
    if (made := registration.made_since(user, after)) is not None:
        return _seated(request, made)
    for offer in offers:
        if offer.price > price:
            continue
        try:
            entry = registration.register(user, offer.summary.tournament, after=after)
        except Refusal:
            continue
        return _seated(request, entry)
    if any(offer.price > price for offer in offers):
        words = _("No seat is left for %(price)s: you were not registered. See what there is now.")
        messages.error(request, words % {"price": text(price)})
    elif offers:
        messages.error(request, _("No tournament has room right now."))
    else:
        messages.error(request, _no_seat(rows))
    return redirect("lobby")


def _seated(request: HttpRequest, entry: Entry) -> HttpResponse:
    sentence = _("You are registered for %(name)s. The table opens by itself when it starts.")
    messages.success(request, sentence % {"name": entry.tournament.name})
    return redirect("tournament", entry.tournament_id)


def _no_seat(rows: Sequence[lobby_rows.LobbyRow]) -> str:
    """Return why a player is offered no seat of these rows."""
    cheapest = lobby_rows.cheapest_seat(rows)
    if cheapest is None:
        return _("No tournament has room right now.")
    words = _("Your balance does not pay for a seat: the cheapest costs %(price)s.")
    return words % {"price": text(cheapest)}
