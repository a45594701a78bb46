"""Admin page that removes the second factor and the passkeys of a person who lost them."""

from __future__ import annotations

from django.db import transaction
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext

from accounts.admin.person_steps import PersonStep
from accounts.users import lost_factors


def remove_factors(step: PersonStep) -> HttpResponse:
    """Ask for the reason, then remove second factor and passkeys and say so."""
    user = step.user
    if (reason := step.reason) and lost_factors.held(user):
        with transaction.atomic():
            lost_factors.remove(user, actor=step.actor)
            note = f"second factor and passkeys removed: {reason}"
            step.page.log_change(step.request, user, note)
        words = gettext("%(name)s logs in with the password alone now.") % {"name": user.name}
        step.page.message_user(step.request, words)
        return HttpResponseRedirect(reverse("admin:accounts_user_change", args=[user.pk]))
    title = gettext("Remove the second factor: %(name)s")
    return step.answer("factors", title, held=lost_factors.held(user))
