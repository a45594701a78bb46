"""Requests of a seat between hands: top up, straddle, post, sit out, leave, pledge."""

from __future__ import annotations

import re
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import money
from accounts.ledger.transfers import held_by
from accounts.models import User
from accounts.refusals import words_of
from config.inputs.numbers import whole
from config.refusals import Refusal
from tables.ring.engine.buy_in import top_up_limits
from tables.ring.models import RingSession
from tables.ring.pages import answers, confirmations, panels
from tables.ring.queries import mine
from tables.ring.queries.mine import MySession
from tables.ring.refusals import NotAtTable
from tables.ring.sessions import leaving, pledging, switches, top_up
from tables.ring.sessions.switches import SWITCHES

DIALOGS = {"top_up": "ring/_top_up.html", "leave": "ring/_leave.html"}
"""Actions that ask first (GET)."""
PLEDGE = "pledge"
"""Action of the page before the player's first hand: 204 kept, 400 malformed, 409 too late."""
ACTIONS = (*DIALOGS, *SWITCHES, PLEDGE)
_HASH = re.compile(r"[0-9a-f]{64}")


@never_cache
@require_http_methods(["GET", "POST"])
def act(request: HttpRequest, session: int, action: str) -> HttpResponse:
    """Ask about `top_up` or `leave` (GET), or carry out one of the ACTIONS (POST).

    `on` is 1 or 0 for `auto`, `straddle`, `post`, `skip` and, in a rapid pool, `sit_out`.
    """
    user = answers.visitor(request)
    if user is None:
        return answers.login_first(request)
    found = get_object_or_404(RingSession.objects.select_related("table"), pk=session, user=user)
    if action not in ACTIONS or (request.method == "GET" and action not in DIALOGS):
        return answers.failed(request, _("There is no such action."), status=404)
    if request.method == "GET":
        return _ask(request, user, found, action)
    if action == PLEDGE:
        return _pledge(user, found, request.POST.get("pledge", ""))
    try:
        words = _carry_out(user, found, action, request)
    except Refusal as refusal:
        return _refuse(request, user, found, action, words_of(refusal))
    except ValueError as wrong:
        return _refuse(request, user, found, action, str(wrong))
    if request.htmx and action not in DIALOGS:  # type: ignore[attr-defined]
        return panels.of_session(request, found)
    back = "" if request.htmx else _page(found)  # type: ignore[attr-defined]
    return answers.done(request, words, back)


def _pledge(user: User, session: RingSession, text: str) -> HttpResponse:
    """Keep a pledge for the grant that seats the player."""
    if not _HASH.fullmatch(text):
        return HttpResponse("A pledge has 64 digits 0-9 and a-f.", "text/plain", 400)
    kept = pledging.keep_pledge(user, session.pk, bytes.fromhex(text))
    if not kept:
        return HttpResponse("The player has a seat, which takes pledges.", "text/plain", 409)
    return HttpResponse(status=204)


def _carry_out(user: User, session: RingSession, action: str, request: HttpRequest) -> str:
    """Do it and return the sentence that says so; raise ValueError for what is no amount."""
    if action in SWITCHES:
        on = request.POST.get("on") == "1"
        switches.switch(user, session.pk, action, on)
        return confirmations.switched(action, on)
    if action == "leave":
        leaving.leave(user, session.pk)
        return str(confirmations.LEAVING)
    amount = money.parse(request.POST.get("amount", ""))
    if amount is None:
        raise ValueError(answers.bad_amount())
    top_up.top_up(user, session.pk, amount, purchases=whole(request.POST.get("purchases", "")))
    return str(confirmations.TOPPED_UP)


def _page(session: RingSession) -> str:
    """Return the address of the table of a session, or of its pool."""
    if session.table_id is None:
        return reverse("rapid", args=[session.game_id])
    return reverse("table", args=[session.table_id])


def _ask(
    request: HttpRequest, user: User, session: RingSession, action: str, **shown: str
) -> HttpResponse:
    """Show the dialog of an action; a session that has ended has none, and is told so."""
    own = next(iter(mine.sessions(user, pk=session.pk)), None)
    if own is None:
        return answers.failed(request, words_of(NotAtTable()))
    return answers.dialog(request, DIALOGS[action], _asked(user, session, own) | shown)


def _asked(user: User, session: RingSession, own: MySession) -> dict[str, Any]:
    """Return what the dialogs show: the stack, the limits of a top-up and the balance."""
    game, rows = session.game, RingSession.objects.filter(pk=session.pk)
    least, most = top_up_limits(own.total, least=game.buy_in_min, most=game.buy_in_max)
    return {
        "session": own,
        "game": game,
        "table": session.table,
        "least": least,
        "most": most,
        "amount": money.typed_text(min(most, max(least, held_by(user)))) if most else "",
        "purchases": rows.values_list("purchases", flat=True).get(),
        "balance": held_by(user),
    }


def _refuse(
    request: HttpRequest, user: User, session: RingSession, action: str, message: str
) -> HttpResponse:
    if action in DIALOGS:
        amount = request.POST.get("amount", "")
        return _ask(request, user, session, action, wrong=message, amount=amount)
    if request.htmx:  # type: ignore[attr-defined]
        return panels.of_session(request, session, message)
    return answers.failed(request, message)
