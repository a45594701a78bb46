"""Pages of the second factor: the code at log-in, and setting it up."""

from __future__ import annotations

import segno
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.safestring import mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.logins import open_sessions
from accounts.logins.minting import BACKEND, CONFIRMED_AT
from accounts.models import User
from accounts.pages.confirm import confirmed
from accounts.refusals import words_of
from accounts.users import second_factor
from config import limits
from config.refusals import Refusal

PENDING = "second_factor"
"""Key of a session whose visitor has shown a password and owes a code."""
MAKING = "second_factor_making"
"""Key of a session that was shown a secret: it is sealed, and waits for its first code."""
BY_PASSKEY = "by_passkey"
"""Key of a session that was begun with a passkey, or made one."""


class CodeForm(forms.Form):
    """A code of the app, or a recovery code."""

    code = forms.CharField(
        label=_("Code"),
        max_length=40,
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "autofocus": True}),
    )


def owe_code(
    request: HttpRequest, user: User, onward: str, *, confirms: bool = True
) -> HttpResponse:
    """Note that a user has shown the password, and lead to the page of the code.

    A log-in that does not confirm counts as no password that was shown lately, with the code, too.
    """
    request.session.cycle_key()
    request.session[PENDING] = {
        "user": user.pk,
        "hash": user.get_session_auth_hash(),
        "at": timezone.now().timestamp(),
        "onward": onward,
        "confirms": confirms,
    }
    return redirect("login_code")


@never_cache
@require_http_methods(["GET", "POST"])
def login_code(request: HttpRequest) -> HttpResponse:
    """Ask for the code and log in; without a password shown lately lead to the log-in."""
    user = _pending(request)
    if user is None:
        request.session.pop(PENDING, None)
        return redirect("login")
    form = CodeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            second_factor.spend(user, form.cleaned_data["code"])
        except Refusal as refusal:
            form.add_error("code", words_of(refusal))
        else:
            owed = request.session.pop(PENDING)
            login(request, user, backend=BACKEND)
            if not owed.get("confirms", True):
                request.session.pop(CONFIRMED_AT, None)
            return HttpResponseRedirect(owed["onward"])
    status = 400 if form.errors else 200
    return render(request, "accounts/login_code.html", {"form": form}, status=status)


@login_required
@confirmed()
@never_cache
@require_http_methods(["GET", "POST"])
def setup(request: HttpRequest) -> HttpResponse:
    """Show the secret until its first code, then the recovery codes once; or switch it off.

    The first code ends all other sessions of the user.
    """
    assert request.user.is_authenticated
    if must_show_passkey(request):
        return redirect("passkeys")
    user, codes = request.user, list[str]()
    form = CodeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        code = form.cleaned_data["code"]
        try:
            if second_factor.is_on(user):
                second_factor.turn_off(user, code)
                messages.success(request, gettext("Log-ins ask for no code any more."))
                return redirect("account")
            codes = second_factor.confirm(user, code, request.session.get(MAKING, ""))
            form = CodeForm()
            request.session.pop(MAKING)
            # Whoever logged in with the password alone is to show a code as well.
            open_sessions.end_others(user, request.session.session_key)
        except Refusal as refusal:
            form.add_error("code", words_of(refusal))
    is_on = second_factor.is_on(user)
    secret = "" if is_on else _secret_of(request)
    address = second_factor.uri(user, secret) if secret else ""
    if secret:
        # The page opens at its picture, which is scanned before there is a code to enter.
        form.fields["code"].widget.attrs.pop("autofocus")
    context = {"form": form, "codes": codes, "is_on": is_on, "secret": secret, "address": address}
    if address:
        # Drawn by the library from our own text; it holds no markup of a visitor.
        drawn = segno.make(address).svg_inline(scale=4, border=4, light="#fff")
        context["picture"] = mark_safe(drawn)  # nosec B308 B703
    status = 400 if form.errors else 200
    return render(request, "accounts/second_factor.html", context, status=status)


def _secret_of(request: HttpRequest) -> str:
    """Return the secret of this session that waits for its first code, made if there is none."""
    held, secret = second_factor.begin(request.session.get(MAKING, ""))
    request.session[MAKING] = held
    return secret


def owed_by_staff(request: HttpRequest) -> str:
    """Return the name of the page where staff first shows or sets up a second factor, or "".

    A session begun with a code or a passkey owes nothing.
    """
    user = request.user
    if not (settings.STAFF_SECOND_FACTOR and user.is_authenticated and user.is_staff):
        return ""
    if request.session.get(BY_PASSKEY) or second_factor.is_on(user):
        return ""
    return "passkeys" if second_factor.has_passkey(user) else "second_factor"


def factor_first(request: HttpRequest) -> HttpResponse | None:
    """Lead staff to the page of the second factor that the session owes; None for all others."""
    page = owed_by_staff(request)
    return redirect(page) if page else None


def must_show_passkey(request: HttpRequest) -> bool:
    """Return whether a session of staff has to show a passkey before it changes second factors.

    Otherwise somebody with the password alone could add a factor of his own.
    """
    return owed_by_staff(request) == "passkeys"


def _pending(request: HttpRequest) -> User | None:
    """Return the user who has shown the password lately, unless it changed since."""
    owed = request.session.get(PENDING)
    if not owed or timezone.now().timestamp() - owed["at"] > limits.CODE_OWED_S:
        return None
    user = User.objects.filter(pk=owed["user"], is_active=True).first()
    if user is None or not constant_time_compare(owed["hash"], user.get_session_auth_hash()):
        return None
    return user
