"""Calendar files: a tournament, all that are ahead, and a player's own behind a signed address."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from accounts.users import calendar_keys
from tournaments.pages.private import seen_tournament
from tournaments.queries import calendar


@never_cache
@require_GET
def one(request: HttpRequest, pk: int) -> HttpResponse:
    """Return a tournament the visitor may see as a file to add to a calendar."""
    tournament = seen_tournament(request, pk)
    if tournament.starts_at is None:
        raise Http404
    return _file(f"tournament-{pk}", calendar.as_ical(tournament.name, [tournament]))


@never_cache
@require_GET
def room(request: HttpRequest) -> HttpResponse:
    """Return every scheduled tournament of the lobby before its start, to subscribe to."""
    return _file("tournaments", calendar.as_ical(_("Tournaments"), calendar.ahead()))


@never_cache
@require_GET
def own(request: HttpRequest, key: str) -> HttpResponse:
    """Return a player's tournaments in the language of the account, which the key stands for.

    Services that read calendars have no log-in and name no language. Raises Http404 for a key that
    is wrong, or older than the player's password.
    """
    user = calendar_keys.user_of(key)
    if user is None:
        raise Http404
    with override(user.language or get_language()):
        content = calendar.as_ical(_("My tournaments"), calendar.entered(user))
    return _file("my-tournaments", content)


def _file(name: str, content: bytes) -> HttpResponse:
    return HttpResponse(
        content,
        content_type="text/calendar; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}.ics"'},
    )
