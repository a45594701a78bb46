"""Second factor: codes of an authenticator app (TOTP) and recovery codes, each used once."""

from __future__ import annotations

import base64
import secrets
from hashlib import sha256

import pyotp
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from accounts.models import Passkey, SecondFactor, User
from config import limits
from config.door.rates import Rate
from config.refusals import Refusal
from config.refusals import marked as _

TRIES = Rate("second-factor", limits.CODE_TRIES, limits.CODE_TRIES_PER_MIN)
"""Tries of codes of one user, over all processes."""

_STEP_S = 30
_CODE_MAX = 40


class WrongCode(Refusal):
    """Refusal of a code that is wrong, used or too old; it never says which."""

    code = "wrong_code"
    sentence = _("This code is wrong or was used before. Enter the one your app shows now.")


class TooManyCodes(Refusal):
    """Refusal of one more try of a code."""

    code = "too_many_codes"
    sentence = _("Too many codes were tried. Wait some minutes.")


def is_on(user: User) -> bool:
    """Return whether the log-in of a user asks for a code."""
    return SecondFactor.objects.filter(user=user, confirmed_at__isnull=False).exists()


def has_passkey(user: User) -> bool:
    """Return whether a user has a passkey, which is two factors by itself."""
    return Passkey.objects.filter(user=user).exists()


def begin(held: str) -> tuple[str, str]:
    """Return a secret that waits for its first code, sealed and open: the `held` one, or a new one.

    A session holds it, not the account: whoever knew the password before learns nothing of the
    factor that its owner turns on.
    """
    secret = _opened(held)
    if secret is None:
        secret = pyotp.random_base32()
        held = _seal(secret)
    return held, secret


def uri(user: User, secret: str) -> str:
    """Return the address by which an authenticator app takes the secret over."""
    return pyotp.TOTP(secret).provisioning_uri(
        name=user.name, issuer_name=settings.ALLOWED_HOSTS[0]
    )


def confirm(user: User, code: str, held: str) -> list[str]:
    """Switch the factor of a held secret on with its first code; return the recovery codes.

    These are shown once. Raises WrongCode or TooManyCodes.
    """
    _take_try(user)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        SecondFactor.objects.filter(user=user, confirmed_at=None).delete()
        row = SecondFactor(user=user, sealed_secret=held)
        if is_on(user) or _opened(held) is None or not _accept_step(row, code):
            raise WrongCode
        codes = [secrets.token_hex(5) for _number in range(limits.RECOVERY_CODES)]
        row.recovery = [_digest(one) for one in codes]
        row.confirmed_at = timezone.now()
        row.save()
    return codes


def spend(user: User, code: str) -> None:
    """Accept a code of the app or a recovery code, once; raise WrongCode or TooManyCodes."""
    _take_try(user)
    with transaction.atomic():
        row = _locked(user)
        if row is None or not (_accept_step(row, code) or _accept_recovery(row, code)):
            raise WrongCode
        row.save()


def turn_off(user: User, code: str) -> None:
    """Switch the factor off with one more code; raise WrongCode or TooManyCodes."""
    with transaction.atomic():
        spend(user, code)
        SecondFactor.objects.filter(user=user).delete()


def _take_try(user: User) -> None:
    if TRIES.take(f"user:{user.pk}"):
        raise TooManyCodes


def _locked(user: User) -> SecondFactor | None:
    """Return the locked row: a code sent twice at once is accepted once."""
    rows = SecondFactor.objects.select_for_update()
    return rows.filter(user=user, confirmed_at__isnull=False).first()


def _accept_step(row: SecondFactor, code: str) -> bool:
    """Note the time step of a right code; one step of a slow clock each way is allowed."""
    typed = "".join(code.split())[:_CODE_MAX]
    if not (typed.isascii() and typed.isdigit() and len(typed) == limits.CODE_DIGITS):
        return False
    app, now = pyotp.TOTP(_secret(row)), int(timezone.now().timestamp()) // _STEP_S
    for step in (now - 1, now, now + 1):
        if step > row.last_step and constant_time_compare(app.at(step * _STEP_S), typed):
            row.last_step = step
            return True
    return False


def _accept_recovery(row: SecondFactor, code: str) -> bool:
    digest = _digest("".join(code.split()).lower()[:_CODE_MAX])
    if digest not in row.recovery:
        return False
    row.recovery = [one for one in row.recovery if one != digest]
    return True


def _digest(code: str) -> str:
    """Return the stored digest; the code is random, so a fast hash suffices."""
    return sha256(f"recovery:{code}".encode(errors="replace")).hexdigest()


def _keys() -> MultiFernet:
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    digests = [sha256(f"second-factor:{key}".encode()).digest() for key in keys]
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])


def _seal(secret: str) -> str:
    return _keys().encrypt(secret.encode()).decode()


def _secret(row: SecondFactor) -> str:
    # SECRET_KEY was replaced without a fallback: no code of the app counts any more.
    return _opened(row.sealed_secret) or pyotp.random_base32()


def _opened(sealed: str) -> str | None:
    """Return a sealed secret; None for none yet, and for one under a key that is gone."""
    try:
        return _keys().decrypt(sealed.encode()).decode()
    except InvalidToken:
        return None
