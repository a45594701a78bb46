"""Page that deletes one's own account for good."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.deletion import deleting
from accounts.ledger.transfers import held_by
from accounts.pages.confirm import ConfirmForm, ask_again, shows_anew, shows_password
from accounts.refusals import words_of
from config.refusals import Refusal


@sensitive_post_parameters("password")
@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def delete(request: HttpRequest) -> HttpResponse:
    """Say what is deleted and what is kept; delete with the password, whenever it was shown last.

    An account without a password is deleted after a log-in of the last minutes. Answers 400 to a
    wrong password and 409 while something of the account is open.
    """
    user = request.user
    assert user.is_authenticated
    has_password = user.has_usable_password()
    form, status = ConfirmForm(request.POST or None), 200
    # What is deleted is read before the password is asked for.
    form.fields["password"].widget.attrs.pop("autofocus")
    found: list[Refusal] = deleting.obstacles(user)
    if request.method == "POST" and not has_password and not shows_anew(request):
        return ask_again(request, request.path)
    if request.method == "POST":
        status = 409 if found else 400
        if not found and (not has_password or shows_password(request, form)):
            try:
                name = deleting.delete(user)
            except Refusal as refusal:
                found, status = [refusal], 409
            else:
                logout(request)
                messages.success(request, gettext("Your account is deleted. It is now %s.") % name)
                return redirect("lobby")
    context = {
        "form": form if has_password else None,
        "obstacles": [words_of(one) for one in found],
        "held": held_by(user),
    }
    return render(request, "accounts/delete.html", context, status=status)
