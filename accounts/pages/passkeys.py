"""Pages of passkeys: list, make and remove own ones, and log in with one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.logins.lockout import source_of_request
from accounts.logins.minting import BACKEND
from accounts.models import Passkey
from accounts.pages.confirm import confirmed
from accounts.pages.onward import onward_of
from accounts.pages.second_factor import BY_PASSKEY, must_show_passkey
from accounts.pages.secure_context import address_of, host_of, is_secure_context
from accounts.providers import linking
from accounts.refusals import words_of
from accounts.users.passkeys import PasskeyRefused, PasskeySite
from config import limits
from config.door.rates import Rate
from config.door.source import UNKNOWN
from config.refusals import Refusal

SHOWN = Rate("passkey-log-in", limits.PASSKEY_SHOWN_ADDRESS, limits.PASSKEY_SHOWN_ADDRESS_PER_MIN)
"""Log-ins by passkey of one address, each counted twice: begun and finished.

A passkey cannot be guessed; this bounds the sessions and the work that strangers cause.
"""

_MAKING, _SHOWING = "passkey_making", "passkey_showing"


class NewPasskeyForm(forms.Form):
    """Name of a new passkey and the answer of the device, which a script fills in."""

    name = forms.CharField(label=_("Name"), max_length=limits.PASSKEY_NAME_MAX_CHARACTERS)
    credential = forms.CharField(max_length=limits.PASSKEY_ANSWER_MAX, widget=forms.HiddenInput)


class ShowPasskeyForm(forms.Form):
    """Answer of the device, which a script fills in."""

    credential = forms.CharField(max_length=limits.PASSKEY_ANSWER_MAX, widget=forms.HiddenInput)


def site_of(request: HttpRequest) -> PasskeySite | None:
    """Return the site of passkeys; None where browsers offer none: plain http, or no host name."""
    host = host_of(request)
    if address_of(host) is not None or not is_secure_context(request):
        return None
    return PasskeySite(host, f"{request.scheme}://{request.get_host()}")


@login_required
@confirmed()
@never_cache
@require_http_methods(["GET", "POST"])
def passkeys(request: HttpRequest) -> HttpResponse:
    """List own passkeys; store the one that a device made for the page shown before."""
    user, site = request.user, site_of(request)
    assert user.is_authenticated
    weak = must_show_passkey(request)
    form, options = NewPasskeyForm(request.POST or None), None
    status = 200
    if request.method == "POST":
        status = 400
        state = _pop(request, _MAKING)
        if site is not None and not weak and form.is_valid():
            try:
                if state is None:
                    raise PasskeyRefused
                given = form.cleaned_data
                site.make(user, given["name"], state, given["credential"])
            except Refusal as refusal:
                form.add_error(None, words_of(refusal))
            else:
                messages.success(request, gettext("The passkey is added: you can log in with it."))
                request.session[BY_PASSKEY] = True
                return redirect("passkeys")
    if site is not None and not weak:
        try:
            options, begun = site.begin_making(user)
        except Refusal as refusal:
            if not form.is_bound:
                messages.info(request, words_of(refusal))
        else:
            _keep(request, _MAKING, begun)
    rows = Passkey.objects.filter(user=user).order_by("pk")
    context = {"form": form, "options": options, "rows": rows, "site": site, "weak": weak}
    return render(request, "accounts/passkeys.html", context, status=status)


@login_required
@confirmed("passkeys")
@require_POST
def remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove an own passkey; Http404 for others, and for staff that has not shown one."""
    assert request.user.is_authenticated
    if must_show_passkey(request):
        raise Http404
    try:
        if not linking.remove_passkey(request.user, pk):
            raise Http404
    except Refusal as refusal:
        messages.error(request, words_of(refusal))
    else:
        messages.success(request, gettext("The passkey is removed."))
    return redirect("passkeys")


@never_cache
@require_http_methods(["GET", "POST"])
def show(request: HttpRequest) -> HttpResponse:
    """Begin a log-in by passkey (POST), or finish it with the answer of the device."""
    if request.method == "GET":  # the page asked for anew, e.g. in another language
        return redirect("login")
    site = site_of(request)
    if site is None:
        messages.warning(request, gettext("Passkeys need an address with https."))
        return redirect("login")
    source = source_of_request(request)
    if source != UNKNOWN and SHOWN.take(source):
        messages.warning(request, gettext("Too many log-ins were tried. Wait some minutes."))
        return redirect("login")
    onward, form = onward_of(request, "lobby"), ShowPasskeyForm(request.POST)
    state, status = _pop(request, _SHOWING), 200
    if "credential" in request.POST:
        status = 400
        try:
            if state is None or not form.is_valid():
                raise PasskeyRefused
            user = site.shown(state, form.cleaned_data["credential"])
        except Refusal as refusal:
            messages.error(request, words_of(refusal))
        else:
            login(request, user, backend=BACKEND)
            request.session[BY_PASSKEY] = True
            return redirect(onward)
    options, begun = site.begin_showing()
    _keep(request, _SHOWING, begun)
    context = {"form": ShowPasskeyForm(), "options": options, "next": onward}
    return render(request, "accounts/passkey_login.html", context, status=status)


def _keep(request: HttpRequest, key: str, state: Mapping[str, Any]) -> None:
    request.session[key] = {"state": dict(state), "at": timezone.now().timestamp()}


def _pop(request: HttpRequest, key: str) -> Mapping[str, Any] | None:
    """Return the state of a step begun lately; each is used once."""
    kept = request.session.pop(key, None)
    if kept is None or timezone.now().timestamp() - kept["at"] > limits.CODE_OWED_S:
        return None
    state: Mapping[str, Any] = kept["state"]
    return state
