"""Pages of the log-ins linked to an account: listed and unlinked."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts.pages.confirm import confirmed
from accounts.providers import linking
from accounts.refusals import words_of
from config.refusals import Refusal


@login_required
@confirmed()
@never_cache
@require_GET
def linked(request: HttpRequest) -> HttpResponse:
    """List the linked log-ins, and the providers that can be linked."""
    assert request.user.is_authenticated
    rows = linking.links_of(request.user)
    names = {one.key: one.name for one in settings.OPENID_PROVIDERS}
    taken = {row.provider for row in rows}
    context = {
        "rows": [(row, names.get(row.provider, row.provider)) for row in rows],
        "free": [one for one in settings.OPENID_PROVIDERS if one.key not in taken],
    }
    return render(request, "accounts/providers/linked.html", context)


@login_required
@confirmed("providers")
@require_POST
def unlink(request: HttpRequest, pk: int) -> HttpResponse:
    """Unlink an own log-in; Http404 for others."""
    assert request.user.is_authenticated
    try:
        if not linking.unlink(request.user, pk):
            raise Http404
    except Refusal as refusal:
        messages.error(request, words_of(refusal))
    else:
        messages.success(request, gettext("The log-in is unlinked."))
    return redirect("providers")
