"""Answers of ring pages: to htmx as parts of a page, to plain forms as pages."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.pages.onward import own_address
from tables.ring import audiences
from tables.ring.models import RingGame

RENEWED = "room:ring, room:money"
"""Events of the page after a change: the seat's panel and the purse are asked for again."""


def visitor(request: HttpRequest) -> User | None:
    """Return the logged-in user, if any."""
    return request.user if isinstance(request.user, User) else None


def listed_game(request: HttpRequest, pk: int, **where: bool) -> RingGame:
    """Return a game the visitor may know of; raise Http404 as for a missing one."""
    games = audiences.listable(visitor(request)).select_related("club")
    return get_object_or_404(games, pk=pk, **where)


def bad_amount() -> str:
    """Return the sentence about an amount that cannot be read."""
    return _("Enter an amount like 25 or 25.00.")


def login_first(request: HttpRequest) -> HttpResponse:
    """Send a visitor without a log-in to the log-in page and back."""
    return _gone(request, redirect_to_login(onward(request)).url)


def done(request: HttpRequest, message: str, to: str) -> HttpResponse:
    """Answer a request that was carried out; pages go to `to`, or stay when that is empty."""
    if request.htmx and not to:  # type: ignore[attr-defined]
        answer = render(request, "ring/_said.html", {"message": message})
        answer["HX-Trigger"] = RENEWED
        return answer
    if message:
        messages.success(request, message)
    return _gone(request, to or onward(request))


def failed(request: HttpRequest, message: str, status: int = 200) -> HttpResponse:
    """Tell a page that nothing was done, and why."""
    if status != 200:
        return HttpResponse(message, status=status, content_type="text/plain; charset=utf-8")
    messages.error(request, message)
    return _gone(request, onward(request))


def dialog(request: HttpRequest, template: str, context: dict[str, object]) -> HttpResponse:
    """Show a dialog: alone for htmx, on a page of its own otherwise."""
    context = {"next": onward(request), **context}
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, template, context)
    return render(request, "ring/dialog.html", {**context, "dialog": template})


def onward(request: HttpRequest) -> str:
    """Return the page the visitor came from, if it is on this site, else the ring lobby."""
    wanted = (
        request.POST.get("next")
        or request.headers.get("HX-Current-URL")
        or request.headers.get("Referer")
        or ""
    )
    return own_address(request, wanted) or reverse("ring_lobby")


def _gone(request: HttpRequest, to: str) -> HttpResponse:
    if request.htmx:  # type: ignore[attr-defined]
        return HttpResponse(headers={"HX-Redirect": to})
    return redirect(to)
