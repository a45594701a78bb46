"""Group of read-only observers of the admin."""

from __future__ import annotations

from django.contrib.auth.models import Group, Permission

NAME = "Observers"
LOOKED_AT = ("accounts", "tables", "tournaments")
"""Apps with models that observers may view."""


def keep() -> Group:
    """Create or update the group: the view permission of each model, and no other.

    Hole cards need a permission of their own, which the group does not have.
    """
    group, _ = Group.objects.get_or_create(name=NAME)
    looking = Permission.objects.filter(
        content_type__app_label__in=LOOKED_AT, codename__startswith="view_"
    )
    group.permissions.set(looking)
    return group
