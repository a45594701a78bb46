"""Answers of ring pages: to scripts as JSON, to htmx and plain forms as pages."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from accounts import money
from accounts.ledger.transfers import held_by
from accounts.models import User
from config.numbers import whole

RENEWED = "room:ring, room:money"
"""Events of the page after a change: the seat's panel and the purse are asked for again."""


def visitor(request: HttpRequest) -> User | None:
    """Return the logged-in user, if any."""
    return request.user if isinstance(request.user, User) else None


def wants_json(request: HttpRequest) -> bool:
    """Return whether a script asks."""
    return "application/json" in request.headers.get("Accept", "")


def amount_of(request: HttpRequest) -> int | None:
    """Return the posted amount in minor units: so from scripts, and as typed money from people."""
    given = request.POST.get("amount", "")
    return whole(given) if wants_json(request) else money.parse(given)


def bad_amount(request: HttpRequest) -> str:
    """Return the sentence about an amount that cannot be read."""
    if wants_json(request):
        return _("An amount is a whole number of minor units.")
    return _("Enter an amount like 25 or 25.00.")


def login_first(request: HttpRequest) -> HttpResponse:
    """Send a visitor without a log-in to the log-in page and back."""
    words = _("Please log in first.")
    if wants_json(request):
        answer = {"ok": False, "code": "login", "message": words, "balance": 0}
        return JsonResponse(answer, status=401)
    return _gone(request, f"{reverse('login')}?next={onward(request)}")


def done(
    request: HttpRequest, user: User, code: str, message: str, to: str, **more: object
) -> HttpResponse:
    """Answer a request that was carried out; pages go to `to`, or stay when that is empty."""
    if wants_json(request):
        body = {"ok": True, "code": code, "message": message, "balance": held_by(user), **more}
        return JsonResponse(body)
    if request.htmx and not to:  # type: ignore[attr-defined]
        answer = render(request, "ring/_said.html", {"message": message})
        answer["HX-Trigger"] = RENEWED
        return answer
    if message:
        messages.success(request, message)
    return _gone(request, to or onward(request))


def refused(
    request: HttpRequest, user: User, code: str, message: str, **allowed: object
) -> JsonResponse | None:
    """Return the JSON of a refusal for a script; None for a page, which shows its form again."""
    if not wants_json(request):
        return None
    status = {"too_many_tries": 429}.get(code, 404 if code.startswith("no_such") else 409)
    body = {"ok": False, "code": code, "message": message, "balance": held_by(user)}
    return JsonResponse({**body, "allowed": allowed}, status=status)


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
    safe = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if safe else reverse("ring_lobby")


def _gone(request: HttpRequest, to: str) -> HttpResponse:
    if request.htmx:  # type: ignore[attr-defined]
        return HttpResponse(headers={"HX-Redirect": to})
    return redirect(to)
