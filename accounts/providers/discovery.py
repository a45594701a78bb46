"""Endpoints and keys of OpenID Connect providers, as they tell them, kept for an hour."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from config.inputs.json_text import decoded, object_of
from config.outside import addresses, asking
from config.outside.asking import NoAnswer
from config.outside.identity_providers import IdentityProvider
from config.refusals import Refusal

KEPT_S = 3_600.0
KEYS_AGAIN_S = 60.0
"""Keys are read anew for an unknown one, but not more often than this."""

JSON = {"accept": "application/json"}


class ProviderEndpoints(msgspec.Struct, frozen=True):
    """Endpoints of a provider, as its discovery document or the configuration names them."""

    authorization_endpoint: str
    token_endpoint: str
    issuer: str = ""
    jwks_uri: str = ""
    userinfo_endpoint: str = ""
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("client_secret_basic",)


_decode_endpoints = msgspec.json.Decoder(ProviderEndpoints).decode
_lock = threading.Lock()
_documents: dict[str, tuple[float, bytes]] = {}


async def endpoints(provider: IdentityProvider, networks: Sequence[str]) -> ProviderEndpoints:
    """Return the endpoints of a provider; raise NoAnswer when its document is away or wrong."""
    if not provider.is_openid:
        return ProviderEndpoints(
            provider.authorization_endpoint,
            provider.token_endpoint,
            userinfo_endpoint=provider.userinfo_endpoint,
            token_endpoint_auth_methods_supported=("client_secret_post",),
        )
    address = f"{provider.issuer.rstrip('/')}/.well-known/openid-configuration"
    text = await _document(address, networks, KEPT_S)
    try:
        found = decoded(_decode_endpoints, text)
    except msgspec.DecodeError as error:
        raise _forgotten(address, str(error)) from error
    if found.issuer != provider.issuer:
        raise _forgotten(address, f"it names another issuer: {found.issuer}")
    if not found.jwks_uri:
        raise _forgotten(address, "it names no jwks_uri")
    try:
        # The browser is sent there: an address of another kind could be a script.
        addresses.refuse_literal(found.authorization_endpoint, networks)
    except Refusal as refusal:
        raise _forgotten(address, f"authorization_endpoint: {refusal}") from refusal
    return found


async def keys(
    found: ProviderEndpoints, networks: Sequence[str], *, anew: bool = False
) -> Mapping[str, Any]:
    """Return the JWK set of a provider, with `anew` one of the last minute; raise NoAnswer."""
    kept_s = KEYS_AGAIN_S if anew else KEPT_S
    text = await _document(found.jwks_uri, networks, kept_s)
    try:
        return object_of(text)
    except msgspec.DecodeError as error:
        raise _forgotten(found.jwks_uri, str(error)) from error


def forget() -> None:
    """Forget all documents, so that each is read anew."""
    with _lock:
        _documents.clear()


async def _document(address: str, networks: Sequence[str], kept_s: float) -> bytes:
    with _lock:
        read_s, text = _documents.get(address, (0.0, b""))
    if text and time.monotonic() - read_s < kept_s:
        return text
    answer = await asking.ask("GET", address, JSON, networks=networks)
    if answer.status != 200:
        raise NoAnswer(f"{address} answered {answer.status}")
    with _lock:
        _documents[address] = (time.monotonic(), answer.body)
    return answer.body


def _forgotten(address: str, why: str) -> NoAnswer:
    with _lock:
        _documents.pop(address, None)
    return NoAnswer(f"{address}: {why}")
