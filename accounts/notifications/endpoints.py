"""Endpoints of pushes: a browser of a player added, renewed and removed."""

from __future__ import annotations

from django.conf import settings
from django.db import IntegrityError, transaction

from accounts.logins.session_store import SessionStore, open_session
from accounts.models import User
from accounts.notifications import room_key
from accounts.notifications.encryption import WrongKeys, read_keys
from accounts.notifications.kinds import registered
from accounts.notifications.models import NotificationChoice, PushEndpoint, Way
from config import limits
from config.door.rates import Rate
from config.outside import addresses
from config.refusals import Refusal
from config.refusals import marked as _

ADDED = Rate("push-endpoint", limits.PUSH_ADDED_BURST, limits.PUSH_ADDED_PER_MINUTE)
"""Endpoints that one player adds or renews."""

REMOVED = "push_removed"
"""Key of a session whose device was removed from the list."""

_KEY_START = 16


class EndpointRefused(Refusal):
    """Endpoint that is no address of a push service, or has no keys of a browser."""

    code = "endpoint_refused"
    sentence = _("This browser gave no address to which notifications can be sent.")


class EndpointTaken(Refusal):
    """Endpoint of another player, of whom the browser does not know the secret."""

    code = "endpoint_taken"
    sentence = _("This device belongs to another player. Turn it off there first.")


class TooManyEndpoints(Refusal):
    """Device beyond the number that one player may have."""

    code = "too_many_endpoints"
    sentence = _("At most %(most)s devices are told; remove one first.")


class EndpointsTooFast(Refusal):
    """Devices added faster than the room takes them."""

    code = "endpoints_too_fast"
    sentence = _("Devices were added too often. Wait a minute.")


def mark_of_key() -> str:
    """Return the start of the room's public key, kept with each endpoint."""
    return room_key.public_key()[:_KEY_START]


def add_endpoint(
    user: User, session: str, device: str, *, address: str, public_key: str, secret: str
) -> PushEndpoint:
    """Store a browser of a player; the first one turns every kind on for it.

    A known address with equal keys is renewed, and leaves another player: the browser is theirs
    who sit at it. Raises a refusal; then nothing has changed.
    """
    _validate_endpoint(address, public_key, secret)
    if ADDED.take(str(user.pk)):
        raise EndpointsTooFast
    values = {"session": session, "device": device, "server_key": mark_of_key(), "failures": 0}
    try:
        with transaction.atomic():
            # Two windows are counted one after the other.
            User.objects.select_for_update(no_key=True).get(pk=user.pk)
            row = PushEndpoint.objects.select_for_update().filter(address=address).first()
            if row is not None and (row.public_key, row.secret) != (public_key, secret):
                raise EndpointTaken
            own = PushEndpoint.objects.filter(user=user)
            is_first = not own.exists()
            if (row is None or row.user_id != user.pk) and own.count() >= limits.PUSH_ENDPOINTS_MAX:
                raise TooManyEndpoints(most=limits.PUSH_ENDPOINTS_MAX)
            if row is not None and row.user_id != user.pk:
                row.delete()  # with what was on its way to the player before
                row = None
            if row is None:
                keys = {"address": address, "public_key": public_key, "secret": secret}
                row = PushEndpoint(user=user, **keys)
            for name, value in values.items():
                setattr(row, name, value)
            row.save()
            if is_first:
                _turn_on(user)
            return row
    except IntegrityError:  # the same browser, in another window at the same time
        raise EndpointTaken from None


def remove_endpoint(user: User, pk: int) -> str | None:
    """Remove an own device; return its session, None for one that is gone or another player's.

    The session knows it, so that the browser does not come back by itself.
    """
    row = PushEndpoint.objects.filter(user=user, pk=pk).first()
    if row is None or not row.delete()[0]:
        return None
    if open_session(row.session) is not None:
        held = SessionStore(row.session)
        held[REMOVED] = True
        held.save()
    return row.session


def forget_address(user: User, address: str) -> bool:
    """Remove the own device with this address; return False when there is none."""
    if not address.isprintable():  # PostgreSQL refuses to look for a NUL
        return False
    return bool(PushEndpoint.objects.filter(user=user, address=address).delete()[0])


def _validate_endpoint(address: str, public_key: str, secret: str) -> None:
    if not address or len(address) > limits.PUSH_ADDRESS_MAX:
        raise EndpointRefused
    try:
        addresses.refuse_literal(address, settings.PUSH_NETWORKS)
        parts = addresses.read(address)
        read_keys(public_key, secret)
    except (Refusal, WrongKeys):
        raise EndpointRefused from None
    if parts.scheme != "https" and not settings.PUSH_NETWORKS:
        raise EndpointRefused


def _turn_on(user: User) -> None:
    """Choose every kind by push for a player who chose none by push yet."""
    chosen = NotificationChoice.objects.filter(user=user, way=Way.PUSH)
    if chosen.exists():
        return
    NotificationChoice.objects.bulk_create(
        NotificationChoice(user=user, kind=kind.name, way=Way.PUSH)
        for kind in registered()
        if Way.PUSH in kind.ways
    )
