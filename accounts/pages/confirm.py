"""Password asked for again before pages that change security, money or a game."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import authenticate
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.logins.minting import CONFIRMED_AT
from accounts.mail import outgoing
from accounts.pages.onward import onward_of
from accounts.providers import linking
from accounts.users.second_factor import has_passkey
from config import limits

View = Callable[..., HttpResponse]


class ConfirmForm(forms.Form):
    """The password of the account that is logged in."""

    password = forms.CharField(
        label=_("Password"),
        strip=False,
        max_length=4096,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password", "autofocus": True}),
    )


def note_confirmed(request: HttpRequest) -> None:
    """Store in the session that its user showed the password now."""
    request.session[CONFIRMED_AT] = timezone.now().timestamp()


def is_confirmed(request: HttpRequest) -> bool:
    """Return whether the user showed the password within PASSWORD_AGAIN_MINUTES; 0: always."""
    minutes = settings.PASSWORD_AGAIN_MINUTES
    return minutes == 0 or _was_confirmed(request, minutes)


def shows_anew(request: HttpRequest) -> bool:
    """Return whether the user logged in lately, whatever the room asks of other pages."""
    return _was_confirmed(request, limits.PASSWORD_AGAIN_MIN)


def shows_password(request: HttpRequest, form: ConfirmForm) -> bool:
    """Return whether a form shows the user's password; a wrong one becomes an error of the form.

    Wrong ones count as log-ins and lock the account out like those.
    """
    if not form.is_valid():
        return False
    if is_own_password(request, form.cleaned_data["password"]):
        return True
    form.add_error("password", gettext("This is not your password."))
    return False


def is_own_password(request: HttpRequest, given: str) -> bool:
    """Return whether a text is the password of the user; wrong ones count as failed log-ins."""
    assert request.user.is_authenticated
    user = authenticate(request, username=request.user.name, password=given)
    return user is not None and user.pk == request.user.pk


def ask_again(request: HttpRequest, onward: str) -> HttpResponse:
    """Return a redirect to the page that asks for the password and leads onward."""
    if request.method == "POST":
        messages.warning(request, gettext("Nothing has changed yet: enter your password first."))
    return HttpResponseRedirect(f"{reverse('confirm')}?{urlencode({'next': onward})}")


def confirmed(onward: str = "") -> Callable[[View], View]:
    """Return a decorator of views that need a password shown lately.

    `onward` names the page to go on with; without it the address of the view itself.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not request.user.is_authenticated or is_confirmed(request):
                return view(request, *args, **kwargs)
            return ask_again(request, reverse(onward) if onward else request.path)

        return cast(View, guarded)

    return decorate


@sensitive_post_parameters("password")
@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def confirm(request: HttpRequest) -> HttpResponse:
    """Ask for the password; wrong ones count as log-ins and lock the account out like those.

    A linked log-in confirms as well, and a passkey where there is no password; the page offers
    them.
    """
    user = request.user
    assert user.is_authenticated
    form = ConfirmForm(request.POST or None)
    status = 200
    if request.method == "POST":
        status = 400
        if shows_password(request, form):
            note_confirmed(request)
            return HttpResponseRedirect(onward_of(request, "account"))
    context = {
        "form": form,
        "next": onward_of(request, "account"),
        "providers": linking.confirming(user),
        "has_password": user.has_usable_password(),
        "has_passkey": has_passkey(user),
        "mail_is_on": outgoing.is_on(),
    }
    return render(request, "accounts/confirm.html", context, status=status)


def _was_confirmed(request: HttpRequest, minutes: float) -> bool:
    age_s = timezone.now().timestamp() - request.session.get(CONFIRMED_AT, 0)
    return bool(0 <= age_s < minutes * 60)
