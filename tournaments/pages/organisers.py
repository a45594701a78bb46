"""Rights of organisers: staff who view, make or run tournaments, and managers of clubs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

from accounts.models import Club, ClubRole, User
from tournaments.entries import audiences, privacy
from tournaments.models import Entry, Tournament

LOOK = "tournaments.view_tournament"
MAKE = "tournaments.add_tournament"
RUN = "tournaments.run_tournament"
RULE = "tournaments.rule_players"
TELL = "tournaments.message_players"

View = Callable[..., HttpResponse]


def organiser(*rights: str) -> Callable[[View], View]:
    """Admit staff with one of these rights, and managers of the club of the page's tournament.

    Other visitors log in first, or are refused; a tournament that a user may not know of is
    missing.
    """

    def guarded(view: View) -> View:
        @wraps(view)
        def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not isinstance(request.user, User):
                return redirect_to_login(request.get_full_path())
            tournament = _tournament(kwargs)
            if tournament is None:
                if not has_right(request.user, *rights):
                    raise PermissionDenied
            elif not audiences.may_manage(request.user, tournament, *rights):
                if not privacy.may_list(request.user, tournament):
                    raise Http404
                raise PermissionDenied
            return view(request, *args, **kwargs)

        return page

    return guarded


def has_right(user: User, *rights: str) -> bool:
    """Return whether a user is staff with one of these rights, for every tournament."""
    return user.is_staff and any(user.has_perm(right) for right in rights)


def managed_clubs(user: User) -> list[Club]:
    """Return the clubs whose tournaments a user manages as a member, by name."""
    roles = (ClubRole.OWNER, ClubRole.MANAGER)
    rows = Club.objects.filter(memberships__user=user, memberships__role__in=roles)
    return list(rows.order_by("name"))


def _tournament(named: Mapping[str, Any]) -> Tournament | None:
    """Return the tournament that an address names; None where it names none."""
    rows = Tournament.objects.select_related("club")
    if "entry_id" in named:
        return get_object_or_404(rows, entries=get_object_or_404(Entry, pk=named["entry_id"]))
    number = named.get("pk", named.get("tournament_id"))
    return None if number is None else get_object_or_404(rows, pk=number)
