"""Pages of one's own log-in sessions: list them, end one, end all others."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts.logins import open_sessions
from config.inputs.numbers import whole


@login_required
@never_cache
@require_GET
def sessions(request: HttpRequest) -> HttpResponse:
    """List the open sessions; this one is marked."""
    assert request.user.is_authenticated
    rows = open_sessions.open_sessions(request.user)
    context = {"sessions": rows, "own": request.session.session_key}
    return render(request, "accounts/sessions.html", context)


@login_required
@require_POST
def end(request: HttpRequest, pk: int) -> HttpResponse:
    """End an own session; Http404 for others and for ended ones."""
    assert request.user.is_authenticated
    if not open_sessions.end(request.user, pk):
        raise Http404
    messages.success(request, gettext("The session is ended."))
    return redirect("sessions")


@login_required
@require_POST
def end_others(request: HttpRequest) -> HttpResponse:
    """End every session but this one."""
    assert request.user.is_authenticated
    count = open_sessions.end_others(request.user, request.session.session_key)
    text = ngettext("%(count)s session is ended.", "%(count)s sessions are ended.", count)
    messages.success(request, text % {"count": count})
    return redirect("sessions")


@login_required
@require_POST
def confirm(request: HttpRequest) -> HttpResponse:
    """Note that the user knows the new devices of the notice."""
    assert request.user.is_authenticated
    upto = whole(request.POST.get("upto", "")) or 0
    open_sessions.confirm_devices(request.user, upto, request.session.session_key)
    return redirect("lobby")
