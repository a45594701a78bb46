"""Page of a user's bots: list, make, give a token, retire."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.bots import owning
from accounts.logins.lockout import source_of_request
from accounts.pages.confirm import confirmed
from accounts.refusals import words_of
from config import limits
from config.refusals import Refusal

TOKEN_DAYS = 90


class BotForm(forms.Form):
    """Name of a new bot, without its prefix."""

    name = forms.CharField(
        label=_("Name"),
        max_length=limits.NAME_MAX_CHARACTERS,
        help_text=_("Everybody sees it with “bot-” before it."),
    )


@login_required
@confirmed()
@never_cache
@require_http_methods(["GET", "POST"])
def bots(request: HttpRequest) -> HttpResponse:
    """List the bots; make one."""
    assert request.user.is_authenticated
    form = BotForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        source = source_of_request(request)
        try:
            made = owning.make(request.user, form.cleaned_data["name"], source)
        except Refusal as refusal:
            form.add_error("name" if refusal.field == "name" else None, words_of(refusal))
        else:
            messages.success(request, gettext("%(name)s is ready.") % {"name": made.name})
            return redirect("bots")
    return _page(request, form, status=400 if form.errors else 200)


@login_required
@confirmed("bots")
@never_cache
@require_http_methods(["GET", "POST"])
def token(request: HttpRequest, pk: int) -> HttpResponse:
    """Make the token of a bot (POST) and show its text once; the earlier one ends."""
    assert request.user.is_authenticated
    if request.method == "GET":  # the page of a token asked for anew, e.g. in another language
        return redirect("bots")
    try:
        text = owning.issue_token(request.user, pk, TOKEN_DAYS)
    except Refusal as refusal:
        messages.error(request, words_of(refusal))
        return redirect("bots")
    return _page(request, BotForm(), text=text, of=pk)


@login_required
@confirmed("bots")
@require_POST
def retire(request: HttpRequest, pk: int) -> HttpResponse:
    """Retire a bot for good."""
    assert request.user.is_authenticated
    try:
        retired = owning.retire(request.user, pk)
    except Refusal as refusal:
        messages.error(request, words_of(refusal))
    else:
        messages.success(request, gettext("%(name)s is retired.") % {"name": retired.name})
    return redirect("bots")


def _page(
    request: HttpRequest, form: BotForm, *, text: str = "", of: int = 0, status: int = 200
) -> HttpResponse:
    assert request.user.is_authenticated
    context = {
        "form": form,
        "bots": owning.bots_of(request.user),
        "most": limits.BOTS_PER_USER_MAX,
        "days": TOKEN_DAYS,
        "text": text,
        "of": of,
    }
    return render(request, "accounts/bots.html", context, status=status)
