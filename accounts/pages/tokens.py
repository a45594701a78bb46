"""Pages of access tokens: list, make, revoke."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.pages.confirm import confirmed
from accounts.pages.second_factor import factor_first
from accounts.refusals import words_of
from accounts.users import access_tokens
from config import limits
from config.refusals import Refusal


class TokenForm(forms.Form):
    """Name, rights and days of a new access token."""

    name = forms.CharField(label=_("Name"), max_length=limits.TOKEN_NAME_MAX_CHARACTERS)
    scopes = forms.MultipleChoiceField(label=_("Rights"), widget=forms.CheckboxSelectMultiple)
    days = forms.IntegerField(
        label=_("Days"), min_value=1, max_value=limits.TOKEN_DAYS_MAX, initial=90
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        field = self.fields["scopes"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [(code, gettext(words)) for code, words in access_tokens.SCOPES.items()]


@login_required
@confirmed()
@never_cache
@require_http_methods(["GET", "POST"])
def tokens(request: HttpRequest) -> HttpResponse:
    """List the valid tokens; make one and show its text once.

    A token of staff runs tournaments, as the cockpit does, and so takes the same second factor.
    """
    assert request.user.is_authenticated
    if (elsewhere := factor_first(request)) is not None:
        return elsewhere
    form = TokenForm(request.POST or None)
    text, status = "", 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                text = access_tokens.issue(request.user, **form.cleaned_data)
            except Refusal as refusal:
                form.add_error(None, words_of(refusal))
            else:
                form, status = TokenForm(), 200
    shown = access_tokens.valid_tokens(request.user)
    context = {"form": form, "text": text, "tokens": shown}
    return render(request, "accounts/tokens.html", context, status=status)


@login_required
@require_POST
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """Revoke an own token; Http404 for others and for revoked ones."""
    assert request.user.is_authenticated
    if not access_tokens.revoke(request.user, pk):
        raise Http404
    messages.success(request, gettext("The access token is revoked."))
    return redirect("tokens")
