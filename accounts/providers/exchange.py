"""Log-in at a provider: the authorization code flow with state, nonce and PKCE (RFC 7636).

Nothing here touches rows: the caller keeps a begun log-in in the session of its browser.
"""

from __future__ import annotations

import asyncio
import base64
import secrets
from collections.abc import Coroutine, Mapping, Sequence
from hashlib import sha256
from typing import Any, TypeVar
from urllib.parse import quote, urlencode, urlsplit

import msgspec
import structlog
from django.utils.crypto import constant_time_compare

from accounts.providers import discovery, proofs
from accounts.providers.discovery import ProviderEndpoints
from accounts.providers.proofs import NotProved, ProvedPerson, UnknownKey
from accounts.providers.refusals import (
    ProofRefused,
    ProviderDeclined,
    ProviderSilent,
    ProviderStepOver,
)
from config.inputs.json_text import object_of
from config.outside import asking
from config.outside.asking import NoAnswer
from config.outside.identity_providers import IdentityProvider

log = structlog.get_logger(__name__)

Found = TypeVar("Found")

TIMEOUT_S = 10.0
"""Time for all requests of one step together, in seconds."""


class BegunLogin(msgspec.Struct, frozen=True):
    """Secrets of a log-in that was begun: they go back and forth with the browser once."""

    state: str
    nonce: str
    verifier: str

    @classmethod
    def fresh(cls) -> BegunLogin:
        """Return new secrets."""
        return cls(*(secrets.token_urlsafe(32) for _number in range(3)))


def begin(
    provider: IdentityProvider,
    begun: BegunLogin,
    back: str,
    networks: Sequence[str],
    *,
    ask_again: bool = False,
) -> str:
    """Return the provider's address for a browser, which comes `back`; raise ProviderSilent.

    `ask_again` demands that the person logs in anew there (prompt, max_age).
    """
    found = _in_time(provider, discovery.endpoints(provider, networks))
    challenge = base64.urlsafe_b64encode(sha256(begun.verifier.encode()).digest())
    asked = {
        "response_type": "code",
        "client_id": provider.client_id,
        "redirect_uri": back,
        "scope": provider.scope,
        "state": begun.state,
        "code_challenge": challenge.decode().rstrip("="),
        "code_challenge_method": "S256",
    }
    if provider.is_openid:
        asked["nonce"] = begun.nonce
        if ask_again:
            asked |= {"prompt": "login", "max_age": "0"}
    joint = "&" if urlsplit(found.authorization_endpoint).query else "?"
    return f"{found.authorization_endpoint}{joint}{urlencode(asked, quote_via=quote)}"


def finish(
    provider: IdentityProvider,
    begun: BegunLogin | None,
    answer: Mapping[str, str],
    back: str,
    networks: Sequence[str],
    now_s: int,
) -> ProvedPerson:
    """Return the person whom a provider proves by the answer that a browser brought.

    Raises ProviderStepOver, ProviderDeclined, ProofRefused or ProviderSilent.
    """
    if begun is None or not constant_time_compare(answer.get("state", ""), begun.state):
        raise ProviderStepOver
    # RFC 9207: an answer that names its issuer names the one that was asked.
    if provider.is_openid and answer.get("iss", provider.issuer) != provider.issuer:
        raise _refused(provider, "the answer names another issuer")
    if "error" in answer or not answer.get("code"):
        log.info("log-in declined", provider=provider.key, error=answer.get("error", "")[:80])
        raise ProviderDeclined(provider=provider.name)
    steps = _prove(provider, begun, answer["code"], back, networks, now_s)
    try:
        return _in_time(provider, steps)
    except NotProved as error:
        raise _refused(provider, str(error)) from error


async def _prove(
    provider: IdentityProvider,
    begun: BegunLogin,
    code: str,
    back: str,
    networks: Sequence[str],
    now_s: int,
) -> ProvedPerson:
    found = await discovery.endpoints(provider, networks)
    given = await _exchange(provider, found, begun, code, back, networks)
    claims: dict[str, Any] = {}
    if provider.is_openid:
        token = given.get("id_token")
        if not isinstance(token, str):
            raise NotProved("the answer holds no ID token")
        keys = await discovery.keys(found, networks)
        try:
            claims = proofs.claims_of_token(provider, token, keys, begun.nonce, now_s)
        except UnknownKey:
            keys = await discovery.keys(found, networks, anew=True)
            claims = proofs.claims_of_token(provider, token, keys, begun.nonce, now_s)
    if found.userinfo_endpoint and provider.claims.email not in claims:
        told = await _profile(found, given, networks)
        # A profile of somebody else may have been put in (OpenID Connect Core, 5.3.2).
        if provider.is_openid and told.get("sub") != claims["sub"]:
            raise NotProved("the profile is another person's")
        claims = told | claims
    return proofs.person_of(provider, claims)


async def _exchange(
    provider: IdentityProvider,
    found: ProviderEndpoints,
    begun: BegunLogin,
    code: str,
    back: str,
    networks: Sequence[str],
) -> dict[str, Any]:
    """Return what the provider gives for a code: its token endpoint wants to know the room."""
    asked = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": back,
        "client_id": provider.client_id,
        "code_verifier": begun.verifier,
    }
    headers = {"content-type": "application/x-www-form-urlencoded", **discovery.JSON}
    if provider.client_secret:
        if "client_secret_basic" in found.token_endpoint_auth_methods_supported:
            # RFC 6749, 2.3.1: both are encoded like a form before they are joined.
            pair = f"{quote(provider.client_id, '')}:{quote(provider.client_secret, '')}"
            headers["authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        else:
            asked["client_secret"] = provider.client_secret
    body = urlencode(asked).encode()
    answer = await asking.ask("POST", found.token_endpoint, headers, body, networks=networks)
    if answer.status >= 500:
        raise NoAnswer(f"{found.token_endpoint} answered {answer.status}")
    if answer.status != 200:
        raise NotProved(f"the token endpoint answered {answer.status}")
    return _object(answer.body)


async def _profile(
    found: ProviderEndpoints, given: Mapping[str, Any], networks: Sequence[str]
) -> dict[str, Any]:
    token = given.get("access_token")
    if not isinstance(token, str) or not token.isascii() or not token.isprintable():
        raise NotProved("the answer holds no access token")
    headers = {"authorization": f"Bearer {token}", "user-agent": "poker-room", **discovery.JSON}
    answer = await asking.ask("GET", found.userinfo_endpoint, headers, networks=networks)
    if answer.status != 200:
        raise NoAnswer(f"{found.userinfo_endpoint} answered {answer.status}")
    return _object(answer.body)


def _object(body: bytes) -> dict[str, Any]:
    try:
        return object_of(body)
    except msgspec.DecodeError as error:
        raise NotProved(f"no JSON object: {error}") from error


def _in_time(provider: IdentityProvider, steps: Coroutine[Any, Any, Found]) -> Found:
    """Run requests within TIMEOUT_S in a loop of this thread; raise ProviderSilent."""

    async def bounded() -> Found:
        async with asyncio.timeout(TIMEOUT_S):
            return await steps

    try:
        return asyncio.run(bounded())
    except (NoAnswer, TimeoutError) as error:
        log.warning("provider silent", provider=provider.key, error=str(error) or "no answer")
        raise ProviderSilent(provider=provider.name) from error


def _refused(provider: IdentityProvider, why: str) -> ProofRefused:
    log.warning("proof refused", provider=provider.key, error=why)
    return ProofRefused(provider=provider.name)
