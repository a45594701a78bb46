"""Passkeys: made in a device, checked by fido2, each unlocked by its user (W3C WebAuthn).

A passkey is two factors: the device, and what unlocks it. Only pages of passkeys import this
module: workers need not load fido2.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from struct import error as StructError
from typing import Any

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from django.db import IntegrityError, transaction
from django.utils import timezone
from fido2.server import Fido2Server
from fido2.utils import websafe_decode
from fido2.webauthn import (
    AttestedCredentialData,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialUserEntity,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from accounts.mail import notices
from accounts.models import Passkey, User
from config import limits
from config.inputs.json_text import object_of
from config.refusals import Refusal
from config.refusals import marked as _

State = Mapping[str, Any]
"""Challenge of a begun step, kept by the session until the device answers."""

_REQUIRED = UserVerificationRequirement.REQUIRED
_BAD_ANSWER = (
    *(ValueError, TypeError, KeyError, IndexError, AttributeError, AssertionError),
    *(StructError, InvalidSignature, UnsupportedAlgorithm, RecursionError),
)
"""Errors that made-up answers raise in the library and in what it calls."""


class PasskeyRefused(Refusal):
    """Answer of a device that is made up, too late, or of a passkey that the room does not know."""

    code = "passkey_refused"
    sentence = _("This passkey was not accepted. Nothing has changed; try again.")


class TooManyPasskeys(Refusal):
    """One passkey more than a user may have."""

    code = "too_many_passkeys"
    sentence = _("You have %(most)s passkeys, and no more are possible.")

    def __init__(self) -> None:
        super().__init__(most=limits.PASSKEYS_MAX)


class PasskeySite:
    """Site for whose host passkeys are made and at whose origin they are used."""

    def __init__(self, host: str, origin: str) -> None:
        entity = PublicKeyCredentialRpEntity(id=host, name=host)
        self._server = Fido2Server(entity, verify_origin=lambda given: given == origin)

    def begin_making(self, user: User) -> tuple[dict[str, Any], State]:
        """Return what the browser asks a device for, and the state; raise TooManyPasskeys."""
        rows = list(Passkey.objects.filter(user=user))
        if len(rows) >= limits.PASSKEYS_MAX:
            raise TooManyPasskeys
        entity = PublicKeyCredentialUserEntity(
            id=str(user.pk).encode(), name=user.name, display_name=user.name
        )
        options, state = self._server.register_begin(
            entity,
            [_data(row) for row in rows],
            resident_key_requirement=ResidentKeyRequirement.REQUIRED,
            user_verification=_REQUIRED,
        )
        return dict(options), state

    def make(self, user: User, name: str, state: State, answer: str) -> Passkey:
        """Store the passkey of a device's answer; raise PasskeyRefused or TooManyPasskeys."""
        try:
            made = self._server.register_complete(state, object_of(answer)).credential_data
        except _BAD_ANSWER as error:
            raise PasskeyRefused from error
        assert made is not None, "fido2 checks that a new passkey has a key"
        digest = sha256(made.credential_id).hexdigest()
        try:
            with transaction.atomic():
                # The lock keeps two forms sent at once below the limit.
                User.objects.select_for_update(no_key=True).get(pk=user.pk)
                if Passkey.objects.filter(user=user).count() >= limits.PASSKEYS_MAX:
                    raise TooManyPasskeys
                row = Passkey(user=user, name=name, credential=digest, data=bytes(made))
                row.save()
                notices.tell_passkey_added(user)
        except IntegrityError as error:  # the passkey is known, perhaps of another user
            raise PasskeyRefused from error
        return row

    def begin_showing(self) -> tuple[dict[str, Any], State]:
        """Return what the browser asks devices for, of whichever user, and the state."""
        options, state = self._server.authenticate_begin(user_verification=_REQUIRED)
        return dict(options), state

    def shown(self, state: State, answer: str) -> User:
        """Return the active user whose passkey signed the challenge; raise PasskeyRefused."""
        try:
            given = object_of(answer)
            digest = sha256(websafe_decode(given["rawId"])).hexdigest()
            rows = Passkey.objects.select_related("user").filter(user__is_active=True)
            row = rows.get(credential=digest)
            self._server.authenticate_complete(state, [_data(row)], given)
        except (*_BAD_ANSWER, Passkey.DoesNotExist) as error:
            raise PasskeyRefused from error
        Passkey.objects.filter(pk=row.pk).update(used_at=timezone.now())
        return row.user


def _data(row: Passkey) -> AttestedCredentialData:
    return AttestedCredentialData(bytes(row.data))
