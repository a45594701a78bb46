"""Bot players by the thousand: users without passwords, with the first play money of people."""

from __future__ import annotations

from django.contrib.auth.hashers import make_password
from django.db import connection, transaction

from accounts.models import User
from accounts.names import BOT_PREFIX
from accounts.users.welcome import welcome_all
from config import limits

_LOCK = 0x0B07


def create(count: int) -> list[User]:
    """Return the first `count` bots of the room, oldest first, creating the missing ones.

    Repeated calls create nothing new. Banned bots and those of users are skipped. Passwords are
    unusable, so none is hashed: bots log in by minted sessions (accounts.logins.minting).
    """
    assert 0 <= count <= limits.BOTS_MAX, "a sane number of bots"
    with transaction.atomic():
        _one_at_a_time()
        bots = list(
            User.objects.filter(is_bot=True, is_active=True, bot_account=None).order_by("pk")[
                :count
            ]
        )
        if missing := count - len(bots):
            bots += _make(missing)
        welcome_all(bots)
    return bots


def _one_at_a_time() -> None:
    """Block concurrent creators of bots until this transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])


def _make(count: int) -> list[User]:
    """Insert bots under the next free numbers."""
    taken = set(
        User.objects.filter(name_key__startswith=BOT_PREFIX).values_list("name_key", flat=True)
    )
    names = [f"{BOT_PREFIX}{number:04d}" for number in range(1, len(taken) + count + 1)]
    free = [name for name in names if name not in taken][:count]
    return User.objects.bulk_create(
        User(name=name, is_bot=True, password=make_password(None)) for name in free
    )
