"""Attack on the API by its own document: requests that fit it, and requests that nearly do.

`API_ATTACK_REQUESTS` sets how many each route gets; `make attack-api` sends more.
"""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from typing import Any

import pytest
import schemathesis
from django.conf import settings
from django.contrib.auth.models import Permission
from django.core.wsgi import get_wsgi_application
from django.db import connection
from hypothesis import HealthCheck, Phase, given, seed
from hypothesis import settings as drawing
from redis import Redis
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

from accounts.models import User
from accounts.users import access_tokens, token_requests
from config import limits
from config.door.rates import Rate
from tables.models import Hand, Table
from tables.ring.models import RingGame, RingSession
from tests.tables.ring.pages.floor import ring_game
from tests.tables.ring.room.cast import player
from tests.tournaments.api.asking import token
from tests.tournaments.cast import offer, open_offer, structure
from tests.tournaments.pages.hands.played_hands import PlayedHands
from tournaments.api import document
from tournaments.models import Template, Ticket, Tournament

REQUESTS = int(os.environ.get("API_ATTACK_REQUESTS", "8"))
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
MODES = {
    GenerationMode.POSITIVE: (REQUESTS, CHECKS),
    GenerationMode.NEGATIVE: (max(1, REQUESTS // 2), [*CHECKS, negative_data_rejection]),
}
SUBJECTS = {
    "tournaments": Tournament,
    "tables": Table,
    "hands": Hand,
    "templates": Template,
    "ring-games": RingGame,
    "ring-sessions": RingSession,
    "tickets": Ticket,
}
"""First part of an address -> the rows that its numbers name."""


@pytest.fixture
def attacker(house: Redis, monkeypatch: pytest.MonkeyPatch) -> str:
    """Token with every right of a rich organiser, in a room with something of everything."""
    chosen = {"players_min": 2, "players_max": 6, "seats_per_table": 6}
    Template.objects.create(name="Turbo", structure=structure(), offer=chosen)
    PlayedHands(2)
    for _ in range(3):
        open_offer()
    offer()
    ring_game()
    user = player("Mallory")
    User.objects.filter(pk=user.pk).update(is_staff=True)
    user.user_permissions.set(
        Permission.objects.filter(codename__in=("add_tournament", "run_tournament"))
    )
    monkeypatch.setattr(token_requests, "REQUESTS", Rate("attack", 10**6, 10**6))
    # Kept from request to request, as a web process keeps it.
    monkeypatch.setitem(connection.settings_dict, "CONN_MAX_AGE", limits.PAGE_CONNECTION_AGE_S)
    connection.close()
    return token(user, *access_tokens.SCOPES)


def aim(case: schemathesis.Case[Any], chance: random.Random) -> None:
    """Name a row that exists in most requests; others keep the numbers that were drawn."""
    subject = case.path.removeprefix("/api/v1/").split("/")[0]
    rows = (
        list(SUBJECTS[subject]._default_manager.values_list("pk", flat=True))
        if subject in SUBJECTS
        else []
    )
    if rows and "pk" in case.path_parameters and chance.random() < 0.8:
        case.path_parameters["pk"] = chance.choice(rows)
    if "number" in case.path_parameters and chance.random() < 0.8:
        case.path_parameters["number"] = chance.randint(1, 3)


def modes(operation: APIOperation[Any, Any, Any, Any]) -> list[GenerationMode]:
    """Modes of a route: nothing is wrong for one that takes any text as its cursor, or nothing."""
    named = {given.name for given in operation.query} - {"cursor"}
    is_strict = bool(named or list(operation.path_parameters) or list(operation.body))
    return list(MODES) if is_strict else [GenerationMode.POSITIVE]


def strike(
    operation: APIOperation[Any, Any, Any, Any],
    mode: GenerationMode,
    text: str,
    statuses: Counter[int],
) -> None:
    """Send the requests of one mode to one route, and count the statuses of the answers."""
    requests, checks = MODES[mode]
    chance = random.Random(1)

    @seed(1)
    @drawing(
        max_examples=requests,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(operation.as_strategy(generation_mode=mode))
    def send(case: schemathesis.Case[Any]) -> None:
        if mode is GenerationMode.POSITIVE:
            aim(case, chance)
        answer = case.call(headers={"Authorization": f"Bearer {text}"})
        statuses[answer.status_code] += 1
        case.validate_response(answer, checks=checks)

    send()


@pytest.mark.sample
@pytest.mark.journey
def test_no_request_breaks_the_api_or_its_document(attacker: str) -> None:
    attacked = schemathesis.openapi.from_dict(
        json.loads((settings.BASE_DIR / document.PAGE).read_text())
    )
    attacked.app = get_wsgi_application()
    # Unknown parameters of an address are ignored, and the token is always sent.
    attacked.config.generation.update(allow_extra_parameters=False, with_security_parameters=False)
    statuses: Counter[int] = Counter()
    for found in attacked.get_all_operations():
        assert isinstance(found, Ok), found
        operation = found.ok()
        for mode in modes(operation):
            strike(operation, mode, attacker, statuses)
    assert set(statuses) >= {200, 201, 400, 404, 409}, statuses
