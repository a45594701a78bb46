"""Page of a club on which its managers read and end the silences of its chats."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from accounts.models import Club, User
from accounts.pages.clubs.access import attempt, club_page, manager
from tables.chat import panel_steps


@manager
@require_GET
def silences(request: HttpRequest, club: Club, user: User) -> HttpResponse:
    """Show the silences that hold in the chats of a club."""
    rows = panel_steps.silences_of(club.pk)
    return club_page(request, "clubs/silences.html", club, silences=rows)


@manager
@require_POST
def end_silence(request: HttpRequest, club: Club, user: User, pk: int) -> HttpResponse:
    """End a silence of a club's chats before its time."""
    attempt(
        request,
        lambda: panel_steps.end_silence_by(user.pk, club.pk, pk),
        _("The player may chat again."),
    )
    return redirect("club_silences", club.slug)
