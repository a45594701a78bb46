"""Admin page that shows a link for a new password once."""

from __future__ import annotations

from django.db import transaction
from django.http import HttpResponse
from django.utils.translation import gettext

from accounts.admin.person_steps import PersonStep
from accounts.users import password_links


def show_link(step: PersonStep) -> HttpResponse:
    """Ask for the reason, then show the link once; the link is stored nowhere."""
    link = ""
    if reason := step.reason:
        with transaction.atomic():
            path = password_links.make(step.user, actor=step.actor, reason=reason)
            step.page.log_change(step.request, step.user, f"link for a new password: {reason}")
        link = step.request.build_absolute_uri(path)
    answer = step.answer("link", gettext("Link for a new password: %(name)s"), link=link)
    answer.headers["Cache-Control"] = "no-store"
    return answer
