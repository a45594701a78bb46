"""Part of an account that tournaments hold: entries that are not over, names, invitations."""

from __future__ import annotations

from collections.abc import Iterator

from accounts.models import User
from config.refusals import Refusal
from tournaments.models import Admission, Entry, Guest
from tournaments.models.tournament import is_over
from tournaments.refusals import EnteredStill


def obstacles(user: User) -> Iterator[Refusal]:
    """Yield a refusal that names the tournaments a player is in, also when already out.

    An entry that is out may still get a place, a prize or another stack until the end, and an
    entry of a cancelled tournament its refund.
    """
    rows = Entry.objects.filter(user=user).exclude(state__in=Entry.TAKEN_BACK)
    rows = rows.exclude(is_over("tournament__"))
    names = dict.fromkeys(rows.order_by("tournament").values_list("tournament__name", flat=True))
    if names:
        yield EnteredStill(list(names))


def erase(user: User) -> None:
    """Give a user's entries the anonymous name; delete invitations and known passwords."""
    Entry.objects.filter(user=user).update(name=user.name)
    Guest.objects.filter(user=user).delete()
    Admission.objects.filter(user=user).delete()
