"""Providers of log-ins that the operator configures: OpenID Connect by its issuer, or OAuth 2.0.

Read once at the start: a wrong entry stops it with one line that names the entry.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import msgspec

from config.outside import addresses
from config.refusals import Refusal

KEY = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
KEY_MAX_CHARACTERS = 20
NAME_MAX_CHARACTERS = 40
PROVIDERS_MAX = 10

_ENDPOINTS = ("authorization_endpoint", "token_endpoint", "userinfo_endpoint")


class ClaimNames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Names of what a provider tells of a person, where they differ from OpenID Connect's."""

    sub: str = "sub"
    preferred_username: str = "preferred_username"
    email: str = "email"
    email_verified: str = "email_verified"


class IdentityProvider(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Provider of log-ins: `issuer` speaks OpenID Connect, three endpoints speak OAuth 2.0.

    `key` is part of addresses and stored rows and never changes; `name` stands on the button.
    `confirms` tells whether a log-in there counts as the password shown again.
    """

    key: str
    name: str
    client_id: str
    client_secret: str = ""
    issuer: str = ""
    authorization_endpoint: str = ""
    token_endpoint: str = ""
    userinfo_endpoint: str = ""
    scopes: tuple[str, ...] = ()
    claims: ClaimNames = ClaimNames()
    confirms: bool = True

    @property
    def is_openid(self) -> bool:
        """Return whether it signs ID tokens, as OpenID Connect demands."""
        return bool(self.issuer)

    @property
    def scope(self) -> str:
        """Return the scopes to ask for."""
        usual = ("openid", "profile", "email") if self.is_openid else ()
        return " ".join(self.scopes or usual)

    def __repr__(self) -> str:
        return f"IdentityProvider({self.key})"  # never the secret


def read(text: str, file: str, networks: Sequence[str]) -> tuple[IdentityProvider, ...]:
    """Return the providers of a JSON array, given as text or in a file; neither: none.

    `networks` may be reached beside the public Internet. Raises ValueError with one line.
    """
    if file and not text:
        try:
            text = Path(file).read_text()
        except (OSError, UnicodeDecodeError) as error:
            raise ValueError(f"{file} cannot be read ({type(error).__name__})") from error
    if not text.strip():
        return ()
    try:
        found = msgspec.json.decode(text, type=list[IdentityProvider])
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise ValueError(str(error)) from error
    if len(found) > PROVIDERS_MAX:
        raise ValueError(f"at most {PROVIDERS_MAX} providers, not {len(found)}")
    for number, provider in enumerate(found, start=1):
        if wrong := _wrong(provider, found[: number - 1], networks):
            raise ValueError(f"provider {number} ({provider.key}): {wrong}")
    return tuple(found)


def _wrong(
    provider: IdentityProvider, before: Sequence[IdentityProvider], networks: Sequence[str]
) -> str:
    """Return what is wrong with a provider, or ""."""
    if not KEY.fullmatch(provider.key) or len(provider.key) > KEY_MAX_CHARACTERS:
        return f"key is made of a-z, 0-9 and dashes, at most {KEY_MAX_CHARACTERS}"
    if provider.key in {other.key for other in before}:
        return "key is given twice"
    if not 1 <= len(provider.name.strip()) <= NAME_MAX_CHARACTERS:
        return f"name has 1 to {NAME_MAX_CHARACTERS} characters"
    if not provider.client_id:
        return "client_id is empty"
    given = {name: getattr(provider, name) for name in _ENDPOINTS}
    if provider.issuer and any(given.values()):
        return "give either issuer (OpenID Connect) or the three endpoints (OAuth 2.0)"
    if not provider.issuer and not all(given.values()):
        missing = next(name for name, value in given.items() if not value)
        return f"issuer (OpenID Connect) or {missing} (OAuth 2.0) is missing"
    if not provider.is_openid and not provider.scopes:
        return "scopes are missing: OAuth 2.0 has no usual ones"
    if provider.is_openid and "openid" not in provider.scope.split():
        return "scopes lack openid"
    for name, value in (("issuer", provider.issuer), *given.items()):
        if value:
            try:
                addresses.refuse_literal(value, networks)
            except Refusal as refusal:
                return f"{name}: {refusal}"
    return ""
