"""Steps of a log-in by a provider that a session keeps, used once or for a short time."""

from __future__ import annotations

from typing import TypeVar

import msgspec
from django.http import HttpRequest
from django.utils import timezone

from accounts.providers.exchange import BegunLogin
from accounts.providers.proofs import ProvedPerson

BEGUN_FOR_S = 600
"""Time for logging in at the provider."""
NAMING_FOR_S = 1_800
"""Time for choosing a name."""

Kept = TypeVar("Kept")

_BEGUN, _PERSON = "provider_begun", "provider_person"


class KeptLogin(msgspec.Struct, frozen=True):
    """Begun step: its provider, what it is for, its user if any, its secrets, the page after it."""

    provider: str
    step: str
    user: int
    begun: BegunLogin
    onward: str
    at: float


class KeptPerson(msgspec.Struct, frozen=True):
    """Person who is new here and chooses a name, and the page after it."""

    person: ProvedPerson
    onward: str
    at: float


def keep_login(request: HttpRequest, kept: KeptLogin) -> None:
    """Keep a begun step until the browser comes back; a later one replaces it."""
    request.session[_BEGUN] = msgspec.to_builtins(kept)


def take_login(request: HttpRequest, provider: str) -> KeptLogin | None:
    """Return the step that this browser began at a provider lately; it is gone after that."""
    kept = _read(request.session.pop(_BEGUN, None), KeptLogin)
    if kept is None or kept.provider != provider or _age_s(kept.at) > BEGUN_FOR_S:
        return None
    return kept if kept.user == (request.user.pk or 0) else None


def keep_person(request: HttpRequest, person: ProvedPerson, onward: str) -> None:
    """Keep a proved person in a session with a new key."""
    request.session.cycle_key()
    kept = KeptPerson(person, onward, timezone.now().timestamp())
    request.session[_PERSON] = msgspec.to_builtins(kept)


def person_of(request: HttpRequest) -> KeptPerson | None:
    """Return the person who chooses a name in this session."""
    kept = _read(request.session.get(_PERSON), KeptPerson)
    return None if kept is None or _age_s(kept.at) > NAMING_FOR_S else kept


def drop_person(request: HttpRequest) -> None:
    """Forget the person who chose a name."""
    request.session.pop(_PERSON, None)


def _read(value: object, kind: type[Kept]) -> Kept | None:
    return None if value is None else msgspec.convert(value, kind)


def _age_s(at: float) -> float:
    return timezone.now().timestamp() - at
