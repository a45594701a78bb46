"""Proofs of a person by a provider, judged without the network: ID tokens and plain profiles.

OpenID Connect Core 1.0, section 3.1.3.7, without its exception for tokens that came over TLS: the
signature is checked in any case.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import msgspec

from accounts.providers.models import SUBJECT_MAX_CHARACTERS
from config.outside.identity_providers import IdentityProvider

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384")
"""Signatures by a key pair; a shared secret or none at all proves nothing."""

LEEWAY_S = 60
"""Difference of clocks that is allowed."""

TEXT_MAX_CHARACTERS = 254


class ProvedPerson(msgspec.Struct, frozen=True):
    """Person at a provider: its key there, a name to suggest, and a mail address if verified.

    `asked_at` is the time at which the provider asked for the log-in, 0 where it does not say.
    """

    provider: str
    subject: str
    name: str = ""
    address: str = ""
    asked_at: int = 0


class NotProved(Exception):
    """Answer that proves nothing; the sentence is for the log."""


class UnknownKey(NotProved):
    """Signature by a key that is not among the known ones: they may have been exchanged."""


def claims_of_token(
    provider: IdentityProvider, token: str, keys: Mapping[str, Any], nonce: str, now_s: int
) -> dict[str, Any]:
    """Return the claims of a signed ID token for this room and this log-in; raise NotProved.

    `keys` is the provider's JWK set, `nonce` that of the log-in that was begun here.
    """
    # Loaded by the first log-in: every process imports this module, and workers see no log-in.
    from joserfc import jwt
    from joserfc.errors import InvalidKeyIdError, JoseError
    from joserfc.jwk import KeySet

    try:
        found = jwt.decode(token, KeySet.import_key_set(cast(Any, keys)), algorithms=ALGORITHMS)
        registry = jwt.JWTClaimsRegistry(
            now=now_s,
            leeway=LEEWAY_S,
            iss={"essential": True, "value": provider.issuer},
            sub={"essential": True},
            aud={"essential": True, "value": provider.client_id},
            exp={"essential": True},
            iat={"essential": True},
            nonce={"essential": True, "value": nonce},
        )
        registry.validate(found.claims)
    except InvalidKeyIdError as error:
        raise UnknownKey(str(error)) from error
    except JoseError as error:
        raise NotProved(f"{type(error).__name__}: {error}") from error
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise NotProved(f"malformed token or keys: {type(error).__name__}") from error
    claims = dict(found.claims)
    audiences = claims["aud"] if isinstance(claims["aud"], list) else [claims["aud"]]
    party = claims.get("azp", audiences[0] if len(audiences) == 1 else None)
    if party != provider.client_id:
        raise NotProved("the token was issued to another client (azp)")
    return claims


def person_of(provider: IdentityProvider, claims: Mapping[str, Any]) -> ProvedPerson:
    """Return the person of a provider's claims; raise NotProved without a usable subject.

    The mail address counts only where the provider says that it verified it.
    """
    names = provider.claims
    subject = claims.get(names.sub)
    if isinstance(subject, int) and not isinstance(subject, bool):
        subject = str(subject)  # OAuth 2.0 providers number people
    if not _is_text(subject, SUBJECT_MAX_CHARACTERS):
        raise NotProved("no usable subject")
    assert isinstance(subject, str)
    verified = claims.get(names.email_verified)
    address = claims.get(names.email) if verified is True or verified == "true" else ""
    asked_at = claims.get("auth_time", 0)
    return ProvedPerson(
        provider.key,
        subject,
        _first_text([claims.get(names.preferred_username), claims.get("name")]),
        address if isinstance(address, str) and _is_text(address, TEXT_MAX_CHARACTERS) else "",
        asked_at if isinstance(asked_at, int) and not isinstance(asked_at, bool) else 0,
    )


def _first_text(values: Sequence[object]) -> str:
    texts = (value for value in values if isinstance(value, str))
    return next((text for text in texts if _is_text(text, TEXT_MAX_CHARACTERS)), "")


def _is_text(value: object, most: int) -> bool:
    return isinstance(value, str) and 0 < len(value) <= most and value.isprintable()
