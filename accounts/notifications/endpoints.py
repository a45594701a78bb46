"""Endpoints of pushes: a browser of a player added, renewed and removed."""

from __future__ import annotations

from hashlib import sha256

from django.conf import settings
from django.db import IntegrityError, transaction

from accounts.models import User
from accounts.notifications import room_key
from accounts.notifications.encryption import WrongKeys, read_keys
from accounts.notifications.kinds import registered
from accounts.notifications.models import NotificationChoice, PushEndpoint, RemovedDevice, Way
from config import limits
from config.door.rates import Rate
from config.outside import addresses
from config.refusals import Refusal
from config.refusals import marked as _

ADDED = Rate("push-endpoint", limits.PUSH_ADDED_BURST, limits.PUSH_ADDED_PER_MINUTE)
"""Endpoints that one player adds or renews."""

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
    keys = {"address": address, "public_key": public_key, "secret": secret}
    row = _add(user, session, device, keys, renews=False)
    assert row is not None, "what a player turns on is stored"
    return row


def renew_endpoint(
    user: User, session: str, device: str, *, address: str, public_key: str, secret: str
) -> PushEndpoint | None:
    """Store a browser that renews itself; None where the player removed it meanwhile.

    Raises as `add_endpoint`.
    """
    keys = {"address": address, "public_key": public_key, "secret": secret}
    return _add(user, session, device, keys, renews=True)


def remove_endpoint(user: User, pk: int) -> bool:
    """Remove an own device, which does not come back by itself; False for none of the user's.

    The latest PUSH_REMOVED_MAX removals of a user are kept.
    """
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        row = PushEndpoint.objects.filter(user=user, pk=pk).first()
        if row is None:
            return False
        removed = RemovedDevice.objects.filter(user=user)
        kept = removed.order_by("-pk").values("pk")[: limits.PUSH_REMOVED_MAX - 1]
        removed.exclude(pk__in=kept).delete()
        RemovedDevice.objects.update_or_create(user=user, digest=_digest(row.address))
        row.delete()
        return True


def forget_address(user: User, address: str) -> bool:
    """Remove the own device with this address; return False when there is none."""
    if not address.isprintable():  # PostgreSQL refuses to look for a NUL
        return False
    return bool(PushEndpoint.objects.filter(user=user, address=address).delete()[0])


def _add(
    user: User, session: str, device: str, keys: dict[str, str], *, renews: bool
) -> PushEndpoint | None:
    _validate_endpoint(**keys)
    if ADDED.take(str(user.pk)):
        raise EndpointsTooFast
    values = {"session": session, "device": device, "server_key": mark_of_key(), "failures": 0}
    try:
        with transaction.atomic():
            # Two windows are counted one after the other, and a removal is seen.
            User.objects.select_for_update(no_key=True).get(pk=user.pk)
            removed = RemovedDevice.objects.filter(user=user, digest=_digest(keys["address"]))
            if renews and removed.exists():
                return None
            row = _stored(user, keys, values)
            removed.delete()
            return row
    except IntegrityError:  # the same browser, in another window at the same time
        raise EndpointTaken from None


def _stored(user: User, keys: dict[str, str], values: dict[str, object]) -> PushEndpoint:
    """Return the stored or renewed row of a browser; the user's row is locked."""
    rows = PushEndpoint.objects.select_for_update()
    row = rows.filter(address=keys["address"]).first()
    if row is not None and (row.public_key, row.secret) != (keys["public_key"], keys["secret"]):
        raise EndpointTaken
    own = PushEndpoint.objects.filter(user=user)
    is_first = not own.exists()
    if (row is None or row.user_id != user.pk) and own.count() >= limits.PUSH_ENDPOINTS_MAX:
        raise TooManyEndpoints(most=limits.PUSH_ENDPOINTS_MAX)
    if row is not None and row.user_id != user.pk:
        row.delete()  # with what was on its way to the player before
        row = None
    if row is None:
        row = PushEndpoint(user=user, **keys)
    for name, value in values.items():
        setattr(row, name, value)
    row.save()
    if is_first:
        _turn_on(user)
    return row


def _digest(address: str) -> str:
    return sha256(address.encode()).hexdigest()


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
