"""Pages of a log-in by a provider: the way there, the way back, and a new player's name."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from accounts.logins.lockout import source_of_request
from accounts.logins.minting import BACKEND, CONFIRMED_AT
from accounts.mail import required_address
from accounts.models import User
from accounts.names import normal
from accounts.pages.confirm import ask_again, is_confirmed, note_confirmed
from accounts.pages.onward import onward_of
from accounts.pages.providers import kept
from accounts.pages.providers.kept import KeptLogin
from accounts.pages.second_factor import owe_code
from accounts.pages.views import log_newcomer_in
from accounts.providers import exchange, linking
from accounts.providers.exchange import BegunLogin
from accounts.providers.proofs import LEEWAY_S, ProvedPerson
from accounts.providers.refusals import NotAskedAgain, ProviderSilent, ProviderStepOver
from accounts.refusals import AddressNeeded, SignUpRefused, words_of
from accounts.users.second_factor import is_on
from accounts.users.signup import check_name
from config import limits
from config.outside.identity_providers import IdentityProvider
from config.refusals import Refusal

LOG_IN, LINK, CONFIRM = "log_in", "link", "confirm"


class ProviderNameForm(forms.Form):
    """Form of the name that a new player chooses; `accounts.users.signup` checks it."""

    name = forms.CharField(
        label=_("Name"),
        max_length=limits.NAME_MAX_CHARACTERS,
        help_text=_("Letters and digits; the others at the table see it."),
        widget=forms.TextInput(attrs={"autocapitalize": "none", "autofocus": True}),
    )


@never_cache
@require_http_methods(["GET", "POST"])
def begin(request: HttpRequest, key: str) -> HttpResponse:
    """Lead to a provider (POST), to log in, to link it, or to confirm a step without a password."""
    if request.method == "GET":  # the page asked for anew, e.g. in another language
        return redirect("providers" if request.user.is_authenticated else "login")
    provider, step = _provider(key), request.POST.get("step", LOG_IN)
    onward = onward_of(request, "lobby" if step == LOG_IN else "providers")
    user = request.user
    if step == LOG_IN:
        if user.is_authenticated:
            return redirect(onward)
    elif not user.is_authenticated:
        return redirect("login")
    elif step == LINK and not is_confirmed(request):
        return ask_again(request, reverse("providers"))
    elif step not in (LINK, CONFIRM) or (step == CONFIRM and not _may_confirm(user, provider)):
        raise Http404
    begun = BegunLogin.fresh()
    back_to, networks = _back_to(provider), settings.OPENID_NETWORKS
    try:
        address = exchange.begin(provider, begun, back_to, networks, ask_again=step == CONFIRM)
    except Refusal as refusal:
        return _refused(request, provider, refusal)
    now = timezone.now().timestamp()
    kept.keep_login(request, KeptLogin(provider.key, step, user.pk or 0, begun, onward, now))
    # A page, not a redirect: `form-action 'self'` of the page with the button forbids the latter.
    context = {"provider": provider, "address": address}
    return render(request, "accounts/providers/leave.html", context)


@never_cache
@require_GET
def back(request: HttpRequest, key: str) -> HttpResponse:
    """Take the answer that a browser brings from a provider, and finish what it was begun for."""
    provider = _provider(key)
    begun = kept.take_login(request, provider.key)
    try:
        person = exchange.finish(
            provider,
            begun.begun if begun else None,
            request.GET.dict(),
            _back_to(provider),
            settings.OPENID_NETWORKS,
            int(timezone.now().timestamp()),
        )
        assert begun is not None, "finish refuses an answer that nobody began"
        return _finished(request, provider, person, begun)
    except Refusal as refusal:
        return _refused(request, provider, refusal)


@never_cache
@require_http_methods(["GET", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    """Let a person who is new here choose a name, and make the account."""
    known = kept.person_of(request)
    provider = linking.provider_of(known.person.provider) if known else None
    if request.user.is_authenticated:
        return redirect("lobby")
    if known is None or provider is None:
        messages.warning(request, words_of(ProviderStepOver()))
        return redirect("login")
    form = ProviderNameForm(request.POST or None, initial={"name": _suggested(known.person.name)})
    if request.method == "POST" and form.is_valid():
        try:
            name, source = form.cleaned_data["name"], source_of_request(request)
            user = linking.make_account(known.person, provider, name, source)
        except SignUpRefused as refusal:
            form.add_error("name", words_of(refusal))
        except Refusal as refusal:
            kept.drop_person(request)
            return _refused(request, provider, refusal)
        else:
            kept.drop_person(request)
            log_newcomer_in(request, user)
            if required_address.is_missing(user):
                messages.warning(request, words_of(AddressNeeded()))
            return redirect(known.onward)
    context = {"form": form, "provider": provider, "address": known.person.address}
    status = 400 if form.errors else 200
    return render(request, "accounts/providers/name.html", context, status=status)


def _finished(
    request: HttpRequest, provider: IdentityProvider, person: ProvedPerson, begun: KeptLogin
) -> HttpResponse:
    if begun.step == LOG_IN:
        return _logged_in(request, provider, person, begun.onward)
    user = request.user
    assert user.is_authenticated
    if begun.step == LINK:
        linking.link(user, person, provider)
        words = gettext("You can now log in with %(provider)s.") % {"provider": provider.name}
        messages.success(request, words)
    else:
        # Without a time nothing tells whether the provider asked: the operator trusts it to.
        if person.asked_at and person.asked_at < begun.at - LEEWAY_S:
            raise NotAskedAgain(provider=provider.name)
        linking.check_own(user, person, provider)
        note_confirmed(request)
    return redirect(begun.onward)


def _logged_in(
    request: HttpRequest, provider: IdentityProvider, person: ProvedPerson, onward: str
) -> HttpResponse:
    user = linking.user_of(person)
    if user is None:
        linking.check_new(person, provider)
        kept.keep_person(request, person, onward)
        return redirect("provider_signup")
    if is_on(user):
        return owe_code(request, user, onward, confirms=provider.confirms)
    login(request, user, backend=BACKEND)
    if not provider.confirms:
        request.session.pop(CONFIRMED_AT, None)
    return redirect(onward)


def _refused(request: HttpRequest, provider: IdentityProvider, refusal: Refusal) -> HttpResponse:
    status = 502 if isinstance(refusal, ProviderSilent) else 400
    context: dict[str, Any] = {"provider": provider, "refusal": words_of(refusal)}
    return render(request, "accounts/providers/refused.html", context, status=status)


def _provider(key: str) -> IdentityProvider:
    provider = linking.provider_of(key)
    if provider is None:
        raise Http404
    return provider


def _may_confirm(user: User, provider: IdentityProvider) -> bool:
    return provider in linking.confirming(user)


def _back_to(provider: IdentityProvider) -> str:
    """Return the address that is registered at the provider."""
    return settings.PUBLIC_URL + reverse("provider_back", args=[provider.key])


def _suggested(name: str) -> str:
    """Return a provider's name of a person where the rules allow it and it is free."""
    try:
        check_name(normal(name))
    except SignUpRefused:
        return ""
    return normal(name)
