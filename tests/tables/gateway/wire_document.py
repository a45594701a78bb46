"""Judge of messages by docs/asyncapi.yaml, one validator for each direction."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from django.conf import settings
from jsonschema import Draft7Validator
from jsonschema.protocols import Validator

from tables.bots.client.history_rows import read

Json = dict[str, Any]


@cache
def document() -> Json:
    """Return the document as committed."""
    read: Json = yaml.safe_load((settings.BASE_DIR / "docs" / "asyncapi.yaml").read_text())
    return read


def names(action: str) -> list[str]:
    """Return the messages that the room may `send` or `receive`, by name."""
    return [
        message["$ref"].rpartition("/")[2]
        for operation in document()["operations"].values()
        if operation["action"] == action
        for message in operation["messages"]
    ]


def form_of(action: str, message: Json) -> str:
    """Return the one message of the document whose form this message has; fail without one."""
    fitting = [name for name in names(action) if _judge(name).is_valid(message)]
    assert len(fitting) == 1, fitting or _faults(action, message)
    return fitting[0]


def _faults(action: str, message: Json) -> str:
    """Return the faults of a message in the form that its type and stream name."""
    name = "_".join(part for part in tokens_of(message)[1::-1] if part)
    shown = name if name in names(action) else message["type"]
    return "; ".join(str(fault)[:500] for fault in _judge(shown).iter_errors(message))


def tokens_of(message: Json) -> tuple[Any, ...]:
    """Return what tells the forms of messages apart: type, stream and types of its events."""
    stream = str(message.get("stream", "")).partition(":")[0]
    events = tuple(sorted({event["type"] for event in message.get("events", ())}))
    return message["type"], stream, events


@cache
def _judge(name: str) -> Validator:
    return Draft7Validator(
        {
            "$ref": document()["components"]["messages"][name]["payload"]["$ref"],
            "components": {"schemas": document()["components"]["schemas"]},
        }
    )


def judge_histories(folder: Path) -> set[str]:
    """Judge every kind of message that clients noted in a folder; return the forms that were seen.

    One message stands for all of its type, its kind of stream and its types of events.
    """
    kinds: dict[tuple[Any, ...], tuple[str, Json]] = {}
    for path in folder.glob("*.jsonl"):
        for row in read(path.read_bytes().splitlines()):
            for action, raw in (("receive", bytes(row.sent)), ("send", bytes(row.got))):
                if raw:
                    message = json.loads(raw)
                    kinds.setdefault(tokens_of(message), (action, message))
    return {form_of(action, message) for action, message in kinds.values()}
