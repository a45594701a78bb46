"""Admin pages of a step for one person: who may take it, the password again, and a reason."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib.admin import ModelAdmin
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.pages.confirm import ask_again, is_confirmed


class PersonReasonForm(forms.Form):
    """Reason of a step for a person, kept in the history."""

    reason = forms.CharField(label=_("Reason"), max_length=150)


@dataclass(frozen=True)
class PersonStep:
    """Step that an operator may take for a user; `reason` is "" until the form was sent."""

    page: ModelAdmin[User]
    request: HttpRequest
    actor: User
    user: User
    form: PersonReasonForm

    @property
    def reason(self) -> str:
        """Return the reason that was given, or ""."""
        if self.request.method != "POST" or not self.form.is_valid():
            return ""
        return str(self.form.cleaned_data["reason"])

    def answer(self, template: str, title: str, **context: Any) -> TemplateResponse:
        """Return the page with the form, a title that names the user, and what else it shows."""
        context |= self.page.admin_site.each_context(self.request) | {
            "title": title % {"name": self.user.name},
            "opts": self.page.opts,
            "form": self.form,
            "player": self.user,
        }
        return TemplateResponse(self.request, f"admin/accounts/user/{template}.html", context)


def take_step(
    page: ModelAdmin[User],
    request: HttpRequest,
    pk: int,
    may: Callable[[User, User], bool],
    step: Callable[[PersonStep], HttpResponse],
) -> HttpResponse:
    """Take a step for a user after the operator's password; raises PermissionDenied."""
    user = get_object_or_404(User, pk=pk)
    actor = request.user
    if isinstance(actor, AnonymousUser) or not may(actor, user):
        raise PermissionDenied
    if not is_confirmed(request):
        return ask_again(request, request.path)
    return step(PersonStep(page, request, actor, user, PersonReasonForm(request.POST or None)))
