"""Taking a seat: quick seat, a chosen seat, the waiting list and its offers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import money
from accounts.ledger.transfers import held_by
from accounts.logins.lockout import source_of_request
from accounts.models import User
from accounts.refusals import words_of
from config.inputs.numbers import whole
from config.refusals import Refusal
from tables.models import Table
from tables.ring.engine.buy_in import buy_in_limits
from tables.ring.models import RingGame, RingSession, WaitingPlayer
from tables.ring.money import DIRECTOR
from tables.ring.pages import answers, confirmations
from tables.ring.queries import words as names
from tables.ring.refusals import NotWaiting
from tables.ring.sessions import sit_down, waiting_list

BESIDE_PASSWORD = ("wrong_password", "password_missing", "too_many_tries")
"""Refusals that are shown beside the password field; the others stand beside the amount."""
BAD_AMOUNT = "bad_amount"
DIALOG, WAIT_DIALOG = "ring/_sit.html", "ring/_wait.html"


@never_cache
@require_http_methods(["GET", "POST"])
def sit(request: HttpRequest, game: int) -> HttpResponse:
    """Show the buy-in and the balance (GET), then pay and sit down (POST).

    `table` and `seat` choose a place; without them the room finds one.
    """
    user = answers.visitor(request)
    if user is None:
        return answers.login_first(request)
    found = answers.listed_game(request, game)
    given = request.POST if request.method == "POST" else request.GET
    table, seat = whole(given.get("table", "")), whole(given.get("seat", ""))
    context = _form(user, found, table, seat)
    if request.method == "GET":
        return answers.dialog(request, DIALOG, context)
    context["after"] = after = whole(given.get("after", ""))
    password = given.get("password", "")
    return _seated(
        request,
        context,
        lambda amount: sit_down.sit(
            user,
            found.pk,
            amount=amount,
            table_id=table,
            seat=seat,
            password=password,
            address=source_of_request(request),
            after=after,
        ),
    )


@never_cache
@require_http_methods(["GET", "POST"])
def wait(request: HttpRequest, game: int) -> HttpResponse:
    """Ask for the password of a private game (GET), then join its waiting list (POST).

    `table` waits for one table alone, `give_up` leaves the list.
    """
    user = answers.visitor(request)
    if user is None:
        return answers.login_first(request)
    found = answers.listed_game(request, game)
    if request.method == "GET":
        return answers.dialog(request, WAIT_DIALOG, {"game": found})
    table = whole(request.POST.get("table", ""))
    try:
        if request.POST.get("give_up"):
            waiting_list.give_up(user, found.pk, table_id=table)
            words = confirmations.GAVE_UP
        else:
            waiting_list.join(
                user,
                found.pk,
                table_id=table,
                password=request.POST.get("password", ""),
                address=source_of_request(request),
            )
            words = confirmations.WAITING
    except Refusal as refusal:
        if refusal.code in BESIDE_PASSWORD:
            wrong = {"game": found, "wrong": words_of(refusal)}
            return answers.dialog(request, WAIT_DIALOG, wrong)
        return answers.failed(request, words_of(refusal))
    return answers.done(request, str(words), answers.onward(request))


@never_cache
@require_http_methods(["GET", "POST"])
def take(request: HttpRequest, offer: int) -> HttpResponse:
    """Show an offered seat with its buy-in (GET), then pay and sit down there (POST)."""
    user = answers.visitor(request)
    if user is None:
        return answers.login_first(request)
    places = WaitingPlayer.objects.select_related("game")
    place = places.filter(pk=offer, user=user).first()
    if place is None:  # an old window, or a second press
        return answers.failed(request, words_of(NotWaiting()))
    context = _form(user, place.game, place.offered_table_id, place.offered_seat) | {
        "address": reverse("ring_take", args=[offer])
    }
    if request.method == "GET":
        return answers.dialog(request, DIALOG, context)
    secret = {
        "password": request.POST.get("password", ""),
        "address": source_of_request(request),
    }
    return _seated(
        request, context, lambda amount: waiting_list.take(user, offer, amount, **secret)
    )


def _seated(
    request: HttpRequest, context: dict[str, Any], act: Callable[[int], RingSession]
) -> HttpResponse:
    """Sit down by `act` with the posted amount, and go to the table; or show the form again."""
    amount = money.parse(request.POST.get("amount", ""))
    if amount is None:
        return _again(request, context, BAD_AMOUNT, answers.bad_amount())
    try:
        session = act(amount)
    except Refusal as refusal:
        return _again(request, context, refusal.code, words_of(refusal))
    if session.table_id is None:
        words = _("You are in the pool: your first hand begins in a moment.")
        return answers.done(request, words, reverse("rapid", args=[session.game_id]))
    words = _("You have seat %(seat)s. You play from one of the next hands.")
    to = reverse("table", args=[session.table_id])
    return answers.done(request, words % {"seat": session.seat}, to)


def _form(user: User, game: RingGame, table: int | None, seat: int | None) -> dict[str, Any]:
    """Return what the dialog shows: terms, place, balance and the usual amount."""
    its_tables = Table.objects.filter(director=DIRECTOR, game=game.pk)
    place = None if table is None else its_tables.filter(pk=table).first()
    balance, brought = held_by(user), sit_down.brought(user, game)
    least, most = buy_in_limits(least=game.buy_in_min, most=game.buy_in_max, brought=brought)
    usual = min(most, max(least, balance))
    return {
        "game": game,
        "game_words": names.game_name(game),
        "stakes": names.stakes(game),
        "buy_in": names.amounts(least, most),
        "brought": brought if brought > game.buy_in_min else 0,
        "exact": least == most,
        "table": place,
        "seat": seat if place else None,
        "balance": balance,
        "amount": money.typed_text(usual),
        "asks_password": bool(game.password),
        "after": sit_down.newest(user, game),
        "address": reverse("ring_sit", args=[game.pk]),
    }


def _again(request: HttpRequest, context: dict[str, Any], code: str, message: str) -> HttpResponse:
    """Answer a refusal: the form with the sentence beside its field."""
    beside = "password" if code in BESIDE_PASSWORD else "amount"
    shown = {**context, "wrong": message, "beside": beside, "amount": request.POST.get("amount")}
    return answers.dialog(request, DIALOG, shown)
