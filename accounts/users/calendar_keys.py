"""Keys of players' calendars: signed, not stored, and void after the next change of password."""

from __future__ import annotations

from django.core import signing

from accounts.models import User
from config.inputs.numbers import whole

_SEPARATOR = "."


def key_of(user: User) -> str:
    """Return the key in the address of a player's calendar; it opens nothing else."""
    return _signer(user.get_session_auth_hash()).sign(str(user.pk))


def user_of(key: str) -> User | None:
    """Return the active player a key was made for; None when it is wrong or void."""
    pk = whole(key.partition(_SEPARATOR)[0])
    user = None if pk is None else User.objects.filter(pk=pk, is_active=True).first()
    if user is None:
        return None
    # A key that was made under one of SECRET_KEY_FALLBACKS counts on.
    hashes = (user.get_session_auth_hash(), *user.get_session_auth_fallback_hash())
    return user if any(_is_signed(key, _signer(one)) for one in hashes) else None


def _is_signed(key: str, signer: signing.Signer) -> bool:
    try:
        signer.unsign(key)
    except signing.BadSignature:
        return False
    return True


def _signer(password_hash: str) -> signing.Signer:
    """Return the signer of a user: its salt changes with the password."""
    return signing.Signer(sep=_SEPARATOR, salt=f"calendar:{password_hash}")
