"""Rights of organisers: staff who may view, make or run tournaments."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse

LOOK = "tournaments.view_tournament"
MAKE = "tournaments.add_tournament"
RUN = "tournaments.run_tournament"
RULE = "tournaments.rule_players"
TELL = "tournaments.message_players"

View = Callable[..., HttpResponse]


def organiser(*rights: str) -> Callable[[View], View]:
    """Admit staff with one of these rights; other visitors log in first or are refused."""

    def guarded(view: View) -> View:
        @wraps(view)
        def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            user = request.user
            if not user.is_authenticated:
                return redirect_to_login(request.get_full_path())
            if not user.is_staff or not any(user.has_perm(right) for right in rights):
                raise PermissionDenied
            return view(request, *args, **kwargs)

        return page

    return guarded
