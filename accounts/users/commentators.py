"""Group of commentators: members see cards that only commentators see, after the delay."""

from __future__ import annotations

from django.contrib.auth.models import Group, Permission

NAME = "Commentators"


def keep() -> Group:
    """Create or update the group with the permission for delayed cards, and no other."""
    group, _ = Group.objects.get_or_create(name=NAME)
    group.permissions.set(Permission.objects.filter(codename="see_delayed_cards"))
    return group
