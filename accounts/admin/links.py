"""Admin page that shows a link for a new password once."""

from __future__ import annotations

from django import forms
from django.contrib.admin import ModelAdmin
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.pages.confirm import ask_again, is_confirmed
from accounts.users import password_links


class PersonReasonForm(forms.Form):
    """Reason of a step for a person, kept in the history."""

    reason = forms.CharField(label=_("Reason"), max_length=150)


def link_page(page: ModelAdmin[User], request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for the reason, then show the link once; the link is stored nowhere."""
    user = get_object_or_404(User, pk=pk)
    actor = request.user
    if isinstance(actor, AnonymousUser) or not password_links.may_hand_over(actor, user):
        raise PermissionDenied
    if not is_confirmed(request):
        return ask_again(request, request.path)
    form = PersonReasonForm(request.POST or None)
    link = ""
    if request.method == "POST" and form.is_valid():
        reason = form.cleaned_data["reason"]
        with transaction.atomic():
            path = password_links.make(user, actor=actor, reason=reason)
            page.log_change(request, user, f"link for a new password: {reason}")
        link = request.build_absolute_uri(path)
    context = page.admin_site.each_context(request) | {
        "title": gettext("Link for a new password: %(name)s") % {"name": user.name},
        "opts": page.opts,
        "form": form,
        "link": link,
        "player": user,
    }
    answer = TemplateResponse(request, "admin/accounts/user/link.html", context)
    answer.headers["Cache-Control"] = "no-store"
    return answer
