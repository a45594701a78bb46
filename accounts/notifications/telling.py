"""Loop of notifications: kinds looked for, mails queued, pushes sent, side by side."""

from __future__ import annotations

import asyncio
import time

import structlog
from asgiref.sync import sync_to_async
from django.db import Error as DatabaseError
from django.db import close_old_connections
from django.utils import timezone

from accounts.notifications import delivering, digest, raising
from accounts.notifications.kinds import NotificationKind, registered

log = structlog.get_logger(__name__)

LOOK_S = 1.0
USERS_AT_ONCE = 100
"""Users to whom pushes are sent at the same time: one attempt each."""
IN_A_ROW = 20
MAIL_EVERY_S = 30.0
PRUNE_EVERY_S = 3_600.0


async def tell() -> None:
    """Raise and deliver until cancelled; a receiver that hangs delays only its own user."""
    looked: dict[str, float] = {}
    in_thread = sync_to_async(_raise_due, thread_sensitive=False)
    tasks: dict[int, asyncio.Task[None]] = {}
    raised: asyncio.Task[None] | None = None
    while True:
        if raised is None or raised.done():
            # A thread of its own: a slow query of one kind holds up no webhook and no push.
            raised = asyncio.create_task(in_thread(looked))
        tasks = {user: task for user, task in tasks.items() if not task.done()}
        try:
            most = USERS_AT_ONCE * 2
            due = await sync_to_async(_waiting, thread_sensitive=False)(most)
        except (DatabaseError, OSError) as error:
            log.warning("notifications delayed", error=str(error))
            due = []
        for user in due:
            if user not in tasks and len(tasks) < USERS_AT_ONCE:
                tasks[user] = asyncio.create_task(_tend_user(user))
        await asyncio.sleep(LOOK_S)


async def push_user(user: int) -> int:
    """Send the pushes of a user that are due, one after the other; return their number."""
    for attempts in range(IN_A_ROW):
        now = timezone.now()
        delivery = await sync_to_async(delivering.claim_push)(user, now)
        if delivery is None:
            return attempts
        outcome = await delivering.push(delivery, now)
        await sync_to_async(delivering.record_push)(delivery, outcome, timezone.now())
        if outcome.error:
            log.warning("push failed", user=user, error=outcome.error)
    return IN_A_ROW


async def _tend_user(user: int) -> None:
    try:
        await push_user(user)
    except (DatabaseError, OSError) as error:
        log.warning("push delayed", user=user, error=str(error))
    except Exception:
        log.exception("push broken", user=user)


def _raise_due(looked: dict[str, float]) -> None:
    close_old_connections()
    try:
        for kind in registered():
            if _is_due(looked, kind.name, kind.every_s):
                _raise_one(kind)
        if _is_due(looked, " mail", MAIL_EVERY_S):
            digest.mail_due(timezone.now())
        if _is_due(looked, " prune", PRUNE_EVERY_S):
            delivering.prune()
    except (DatabaseError, OSError) as error:
        log.warning("notifications delayed", error=str(error))
    except Exception:
        log.exception("notifications broken")
    finally:
        close_old_connections()


def _raise_one(kind: NotificationKind) -> None:
    """Raise one kind; a defect in it stops no other kind."""
    try:
        raising.raise_kind(kind, timezone.now())
    except (DatabaseError, OSError):
        raise
    except Exception:
        log.exception("notification kind broken", kind=kind.name)


def _is_due(looked: dict[str, float], name: str, every_s: float) -> bool:
    now_s = time.monotonic()
    if now_s - looked.get(name, -every_s) < every_s:
        return False
    looked[name] = now_s
    return True


def _waiting(most: int) -> list[int]:
    close_old_connections()
    return delivering.waiting_users(timezone.now(), most)
