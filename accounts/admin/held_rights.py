"""Changed rights of the form of a user, held back for a second person where the room wants one."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.admin import ModelAdmin
from django.http import HttpRequest
from django.utils.translation import gettext

from accounts.admin.operators import operator
from accounts.approvals.asking import ask_rights
from accounts.models import User

FLAGS = ("is_staff", "is_superuser")
LISTS = ("groups", "user_permissions")


def hold_rights(page: ModelAdmin[User], request: HttpRequest, user: User, form: Any) -> None:
    """Take changed rights out of the form and store them as a step for a second person."""
    changed = set(form.changed_data) & {*FLAGS, *LISTS}
    if not settings.RIGHTS_BY_TWO or not changed:
        return
    kept = User.objects.get(pk=user.pk)
    # The changes alone: rights that another step gives or takes meanwhile stay as they are then.
    wanted: dict[str, Any] = {name: getattr(user, name) for name in FLAGS if name in changed}
    for name in FLAGS:
        setattr(user, name, getattr(kept, name))
    for name in LISTS:
        if name in changed:
            rows = getattr(kept, name).all()
            before, after = ({row.pk for row in some} for some in (rows, form.cleaned_data[name]))
            wanted[name] = {"add": sorted(after - before), "remove": sorted(before - after)}
            form.cleaned_data[name] = rows
    form.changed_data = [name for name in form.changed_data if name not in changed]
    ask_rights(operator(request), user, wanted)
    page.message_user(request, gettext("The changed rights wait for a second person."))
