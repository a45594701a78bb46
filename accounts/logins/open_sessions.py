"""Open log-in sessions of a user: noted at log-in and every few minutes, listed and ended.

Deleting a session's row dismisses its sockets: `tables.gateway.rights` hears of it.
"""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import get_language, gettext, override

from accounts.logins import devices
from accounts.mail import outgoing
from accounts.models import LoginSession, User
from config import limits
from config.door import known
from config.postgres.statements import ANY_KEY, ANY_TIME, BuiltOnce


def note_login(request: HttpRequest, user: User) -> None:
    """Store the session of a log-in; a new device is noted for the user's other sessions.

    The first log-in of a newcomer, `request.is_newcomer`, is no news to its owner.
    """
    is_new = not devices.is_known(request, user.pk)
    request.session.save()
    _insert(request, user, is_new=is_new and _open(user).exists())
    if is_new and not getattr(request, "is_newcomer", False):
        _mail_notice(request, user)


def note_seen(request: HttpRequest, user: User) -> None:
    """Store when and from where a session was last seen; a session without a row gets one.

    Each process calls this once in LOGIN_SEEN_EVERY_S for a session, and counts it as noted: a time
    that another process noted shortly before would be too old by then, and end the session early.
    """
    key = request.session.session_key
    rows = LoginSession.objects.filter(session_id=key)
    seen = {
        "device": devices.device_of(request),
        "address": devices.network_of(request),
        "seen_at": timezone.now(),
    }
    if not rows.update(**seen) and Session.objects.filter(pk=key).exists():
        _insert(request, user)


def open_sessions(user: User) -> list[LoginSession]:
    """Return the sessions that speak for a user now, the one seen last first."""
    hashes = [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]
    rows = _open(user).select_related("session").order_by("-seen_at", "-pk")
    return [row for row in rows[: limits.LOGIN_SESSIONS_SHOWN_MAX] if _has_hash(row, hashes)]


def end(user: User, pk: int) -> bool:
    """End a session of this user; return False for one that is over or another user's."""
    return bool(_delete(LoginSession.objects.filter(user=user, pk=pk)))


def end_others(user: User, session_key: str | None) -> int:
    """End all sessions of a user but this one; return their number."""
    return _delete(LoginSession.objects.filter(user=user).exclude(session_id=session_key))


def new_devices(user: User, session_key: str | None) -> list[LoginSession]:
    """Return sessions on new devices of which this session's user has not confirmed the notice."""
    devices = _NEW_DEVICES.rows(user.pk, timezone.now())
    return [device for device in devices if device.session_id != session_key]


def confirm_devices(user: User, upto: int, session_key: str | None) -> None:
    """Note that the user knows the new devices up to this row; a device never confirms itself."""
    rows = LoginSession.objects.filter(user=user, pk__lte=upto, is_new=True)
    rows.exclude(session_id=session_key).update(is_new=False)


def _open(user: User) -> QuerySet[LoginSession]:
    return _open_at(user.pk, timezone.now())


def _open_at(user: int, now: datetime) -> QuerySet[LoginSession]:
    return LoginSession.objects.filter(user=user, session__expire_date__gt=now)


_NEW_DEVICES = BuiltOnce(
    lambda user, now: _open_at(user, now).filter(is_new=True).order_by("pk"), ANY_KEY, ANY_TIME
)


def _has_hash(row: LoginSession, hashes: list[str]) -> bool:
    stored = row.session.get_decoded().get(HASH_SESSION_KEY, "")
    return any(constant_time_compare(stored, own) for own in hashes)


def _insert(request: HttpRequest, user: User, is_new: bool = False) -> None:
    key = request.session.session_key
    assert key is not None
    row = LoginSession(
        user=user,
        session_id=key,
        device=devices.device_of(request),
        address=devices.network_of(request),
        seen_at=timezone.now(),
        is_new=is_new,
    )
    try:
        with transaction.atomic():
            LoginSession.objects.bulk_create([row], ignore_conflicts=True)
    except IntegrityError:
        pass  # the session ended meanwhile


def _delete(rows: QuerySet[LoginSession]) -> int:
    keys = list(rows.values_list("session_id", flat=True))
    Session.objects.filter(pk__in=keys).delete()
    for key in keys:
        known.forget(key)
    return len(keys)


def _mail_notice(request: HttpRequest, user: User) -> None:
    """Mail a notice of a log-in to the primary address, if there is one."""
    if not outgoing.is_on():
        return
    primary = outgoing.primary_address(user.pk)
    if not primary:
        return
    with override(user.language or get_language()):
        words = {
            "name": user.name,
            "device": devices.device_of(request) or gettext("unknown device"),
            "address": devices.network_of(request) or "?",
        }
        lead = gettext("%(name)s logged in on a new device: %(device)s, network %(address)s.")
        rest = gettext("Was it not you? Change your password; that ends all other sessions.")
        body = f"{lead % words}\n{rest}\n{settings.PUBLIC_URL}/account/"
        outgoing.queue(primary, gettext("Log-in on a new device"), body)
