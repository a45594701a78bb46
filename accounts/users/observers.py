"""The group of those who may look at everything in the admin and change nothing."""

from __future__ import annotations

from django.contrib.auth.models import Group, Permission

NAME = "Observers"
LOOKED_AT = ("accounts", "tables", "tournaments")
"""The apps whose rows may be looked at."""


def keep() -> Group:
    """Make the group, or bring it up to date: the right to look at each model, and no other.

    Hole cards are no row to look at: they need a right of their own.
    """
    group, _ = Group.objects.get_or_create(name=NAME)
    looking = Permission.objects.filter(
        content_type__app_label__in=LOOKED_AT, codename__startswith="view_"
    )
    group.permissions.set(looking)
    return group
