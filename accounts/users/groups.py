"""Groups of the admin that a room starts with: read-only observers, and commentators."""

from __future__ import annotations

from django.contrib.auth.models import Group, Permission

OBSERVERS = "Observers"
COMMENTATORS = "Commentators"
LOOKED_AT = ("accounts", "tables", "tournaments")
"""Apps with models that observers may view."""


def keep_observers() -> Group:
    """Create or update the group of observers: the view permission of each model, and no other.

    Hole cards need a permission of their own, which the group does not have.
    """
    group, _ = Group.objects.get_or_create(name=OBSERVERS)
    looking = Permission.objects.filter(
        content_type__app_label__in=LOOKED_AT, codename__startswith="view_"
    )
    group.permissions.set(looking)
    return group


def keep_commentators() -> Group:
    """Create or update the group that sees delayed cards which only commentators see."""
    group, _ = Group.objects.get_or_create(name=COMMENTATORS)
    group.permissions.set(Permission.objects.filter(codename="see_delayed_cards"))
    return group
