"""Access to the pages of a club: outsiders of a page get 404, as for a missing one."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache

from accounts.clubs import bank, rules
from accounts.clubs.steps import role_of
from accounts.models import Club, User
from accounts.refusals import words_of
from config.refusals import Refusal

View = Callable[..., HttpResponse]


def user_of(request: HttpRequest) -> User | None:
    """Return the logged-in user; None for a visitor."""
    return request.user if isinstance(request.user, User) else None


def inside(allows: Callable[[str | None], bool]) -> Callable[[View], View]:
    """Admit users whose role in the club `allows`; the view gets the club and the user.

    Visitors log in first; everybody else gets 404.
    """

    def guarded(view: View) -> View:
        @never_cache
        @wraps(view)
        def page(request: HttpRequest, slug: str, *args: Any, **kwargs: Any) -> HttpResponse:
            user = user_of(request)
            if user is None:
                return redirect_to_login(request.get_full_path())
            club = get_object_or_404(Club, slug=slug)
            if not allows(role_of(user, club)):
                raise Http404
            return view(request, club, user, *args, **kwargs)

        return page

    return guarded


member = inside(lambda role: role is not None)
"""Decorator of pages for members."""

manager = inside(rules.may_manage)
"""Decorator of pages for managers and owners."""


def logged_in(view: View) -> View:
    """Let visitors log in first; the view gets the club and the user, of whatever role."""
    return inside(lambda _role: True)(view)


def club_page(request: HttpRequest, name: str, club: Club, **more: Any) -> HttpResponse:
    """Render a page of a club with the visitor's role and rights."""
    user = user_of(request)
    role = role_of(user, club)
    context = {
        "page": "clubs",
        "club": club,
        "role": role,
        "may_manage": rules.may_manage(role),
        "may_fund": bank.may_fund(user),
        **more,
    }
    return render(request, name, context)


def refuse(form: forms.BaseForm, refusal: Refusal) -> None:
    """Show a refusal beside its field, or above the form."""
    field = refusal.field if refusal.field in form.fields else None
    form.add_error(field, forms.ValidationError(words_of(refusal), code=refusal.code))


def attempt(request: HttpRequest, act: Callable[[], object], done: str) -> bool:
    """Take a step without fields; say on the next page that it is `done`, or why it is not."""
    try:
        act()
    except Refusal as refusal:
        messages.error(request, words_of(refusal))
        return False
    messages.success(request, done)
    return True
