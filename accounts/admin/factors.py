"""Admin page that removes the second factor and the passkeys of a person who lost them."""

from __future__ import annotations

from django.contrib.admin import ModelAdmin
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext

from accounts.admin.links import PersonReasonForm
from accounts.models import User
from accounts.pages.confirm import ask_again, is_confirmed
from accounts.users import lost_factors


def factors_page(page: ModelAdmin[User], request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for the reason, then remove second factor and passkeys and say so."""
    user = get_object_or_404(User, pk=pk)
    actor = request.user
    if isinstance(actor, AnonymousUser) or not lost_factors.may_remove(actor, user):
        raise PermissionDenied
    if not is_confirmed(request):
        return ask_again(request, request.path)
    form = PersonReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        reason = form.cleaned_data["reason"]
        with transaction.atomic():
            lost_factors.remove(user, actor=actor)
            page.log_change(request, user, f"second factor and passkeys removed: {reason}")
        words = gettext("%(name)s logs in with the password alone now.") % {"name": user.name}
        page.message_user(request, words)
        return HttpResponseRedirect(reverse("admin:accounts_user_change", args=[pk]))
    context = page.admin_site.each_context(request) | {
        "title": gettext("Remove the second factor: %(name)s") % {"name": user.name},
        "opts": page.opts,
        "form": form,
        "held": lost_factors.held(user),
        "player": user,
    }
    return TemplateResponse(request, "admin/accounts/user/factors.html", context)
