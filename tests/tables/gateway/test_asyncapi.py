"""The AsyncAPI document follows the standard, and has the form of what sockets really carry."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from django.conf import settings
from jsonschema import Draft7Validator
from jsonschema.protocols import Validator

from tables.gateway.streams.known_kinds import all_kinds
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.socket_table import Game, game
from tests.tables.gateway.wire_document import document, form_of, names

__all__ = ["game", "site"]

STANDARD = "node_modules/@asyncapi/specs/schemas/3.0.0.json"


def _standard() -> Validator:
    return Draft7Validator(json.loads((settings.BASE_DIR / STANDARD).read_text()))


def test_the_document_follows_the_standard() -> None:
    standard, faulty = _standard(), copy.deepcopy(document())
    assert list(standard.iter_errors(document())) == []
    faulty["operations"]["act"]["action"] = "shout"
    assert list(standard.iter_errors(faulty)), "a fault is found"


def test_every_reference_has_a_target() -> None:
    def references(part: Any) -> list[str]:
        if isinstance(part, list):
            return [name for one in part for name in references(one)]
        if not isinstance(part, dict):
            return []
        own = [part["$ref"]] if isinstance(part.get("$ref"), str) else []
        return own + [name for one in part.values() for name in references(one)]

    found = set(references(document()))
    assert len(found) > 100
    for reference in found:
        target = document()
        for step in reference.removeprefix("#/").split("/"):
            target = target[step]


def test_every_stream_has_its_messages() -> None:
    told = names("send")
    for kind in all_kinds():
        if kind.events:
            assert f"{kind.prefix}_events" in told
    assert {"act", "subscribe", "ping", "cut"} <= set(names("receive"))


def test_frames_of_a_table_have_the_forms_of_the_document(game: Game) -> None:
    client = game.client(game.actor)
    forms = [form_of("send", message) for message in (client.welcome, client.snapshot)]
    assert forms == ["welcome", "table_snapshot"]
    act = game.command("call")
    assert form_of("receive", act) == "act"
    client.say(**act)
    client.say(type="ping", sent_ms=5)
    client.say(type="subscribe", stream="nothing:1")
    game.work()
    game.play_calmly(6)
    seen: set[str] = set()
    while not {"table_events", "pong", "refused", "result"} <= seen:
        seen.add(form_of("send", client.next()))


@pytest.mark.parametrize(
    "change", [{"more": 1}, {"turn": -1}, {"action": "win"}, {"amount": "10"}, {"id": ""}]
)
def test_a_message_that_the_room_refuses_has_no_form(change: dict[str, Any]) -> None:
    act = {"type": "act", "id": "a1", "table": 1, "epoch": 1, "hand": 1, "turn": 1}
    assert form_of("receive", {**act, "action": "fold"}) == "act"
    with pytest.raises(AssertionError):
        form_of("receive", {**act, "action": "fold", **change})
