"""Page of the look, before the log-in and after it."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.looks import looks
from accounts.looks.forms import LookForm
from accounts.models import User

KEPT_S = 365 * 24 * 3_600


@never_cache
@require_http_methods(["GET", "POST"])
def table_look(request: HttpRequest) -> HttpResponse:
    """Show the look (GET) and keep another one (POST): in a cookie, and for a logged-in user."""
    if request.method != "POST":
        shown = looks.look_of(request.COOKIES.get(looks.COOKIE, ""), _user(request))
        return render(request, "accounts/look.html", {"form": LookForm(initial=shown)})
    messages.success(request, gettext("Your choice is saved."))
    return _kept(request, redirect("look"))


@never_cache
@require_POST
def from_table(request: HttpRequest) -> HttpResponse:
    """Keep the look that the table shows already; the answer is empty (204)."""
    return _kept(request, HttpResponse(status=204))


def _user(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def _kept(request: HttpRequest, answer: HttpResponse) -> HttpResponse:
    """Keep the posted look, also in the cookie of an answer."""
    chosen = looks.checked(request.POST.dict())
    answer.set_cookie(
        looks.COOKIE,
        looks.keep(chosen, _user(request)),
        max_age=KEPT_S,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return answer
