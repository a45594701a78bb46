"""Write docs/asyncapi.yaml: the wire as an AsyncAPI 3 document for generators and validators."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import yaml

from config import limits
from tables.gateway.streams.known_kinds import StreamKind, all_kinds
from tables.gateway.words import BYES
from tables.management.protocol_page import SERVER, members, refusals, sentences, told_pattern
from tables.wire import client_commands, client_events

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "asyncapi.yaml"
HEAD = "# Messages of protocol.md as AsyncAPI 3; written by `manage.py protocol_docs`.\n"

Json = dict[str, Any]

_SCHEMAS = "#/components/schemas/"
_MESSAGES = "#/components/messages/"
_CHANNEL = "#/channels/room"
_BY_STREAM = (client_events.Snapshot, client_events.Events)
_ANSWERED = (client_events.Result, client_events.Refused)
_ABOUT = (
    "One WebSocket carries every message as one JSON object in one text frame. Clients subscribe "
    "to streams; each begins with a snapshot and goes on with events, whose ids count up by one. "
    "After a lost connection a client subscribes with the last id it has seen. protocol.md "
    "describes the meaning of the messages. Clients ignore unknown events and fields."
)


class _Plain(yaml.SafeDumper):
    """Writer of YAML without anchors, so that every part of the document reads by itself."""

    def ignore_aliases(self, data: Any) -> bool:
        """Repeat equal parts."""
        return True


def text() -> str:
    """Return the whole file."""
    body = yaml.dump(document(), Dumper=_Plain, sort_keys=False, allow_unicode=True, width=118)
    return HEAD + body


def document() -> Json:
    """Return the AsyncAPI document of the wire."""
    sent = list(members(client_commands.ClientMessage))
    received = [struct for struct in SERVER if struct not in _BY_STREAM]
    messages = {_tag(struct): _message(struct) for struct in (*sent, *received)}
    schemas = _schemas([*sent, *received])
    told = [_tag(struct) for struct in received]
    for kind in all_kinds():
        for name, message, schema in _of_stream(kind):
            assert _title(name) not in schemas, name
            messages[name], schemas[_title(name)] = message, schema
            told.append(name)
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Poker room",
            "version": "1.0.0",
            "description": _ABOUT,
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "servers": {"room": _server()},
        "channels": {"room": _channel(messages)},
        "operations": _operations(sent, told),
        "components": {
            "securitySchemes": _security(),
            "messages": messages,
            "schemas": {name: _draft_7(schema) for name, schema in sorted(schemas.items())},
        },
    }


def _server() -> Json:
    schemes = "#/components/securitySchemes/"
    return {
        "host": "room.example",
        "protocol": "wss",
        "description": "Without proof of a user a client may watch what everybody may watch.",
        "security": [{"$ref": f"{schemes}token"}, {"$ref": f"{schemes}session"}],
    }


def _security() -> Json:
    return {
        "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "Access token with the right play in the Authorization header.",
        },
        "session": {
            "type": "httpApiKey",
            "in": "cookie",
            "name": "sessionid",
            "description": "Log-in session of the pages; the Origin must be one of the room.",
        },
    }


def _channel(messages: Json) -> Json:
    return {
        "address": "/ws/v1/",
        "description": f"A client message has at most {limits.CLIENT_MESSAGE_MAX_BYTES:,} bytes.",
        "messages": {name: {"$ref": _MESSAGES + name} for name in messages},
        "bindings": {"ws": {"method": "GET"}},
    }


def _answers(struct: type) -> tuple[type, ...]:
    if struct is client_commands.Ping:
        return (client_events.Pong,)
    if struct is client_commands.AskRank:
        return (client_events.StackRank,)
    return _ANSWERED if "id" in struct.__annotations__ else ()


def _operations(sent: Iterable[type], told: list[str]) -> Json:
    """Return one operation for each message of clients, and one for all that the room tells."""
    operations: Json = {}
    for struct in sent:
        operations[_tag(struct)] = _operation("receive", [_tag(struct)])
        answers = _answers(struct)
        if answers:
            operations[_tag(struct)]["reply"] = {
                "channel": {"$ref": _CHANNEL},
                "messages": _refs([_tag(answer) for answer in answers]),
            }
    operations["tell"] = _operation("send", told)
    return operations


def _operation(action: str, names: list[str]) -> Json:
    return {"action": action, "channel": {"$ref": _CHANNEL}, "messages": _refs(names)}


def _refs(names: Iterable[str]) -> list[Json]:
    return [{"$ref": f"{_CHANNEL}/messages/{name}"} for name in names]


def _message(struct: type) -> Json:
    message: Json = {
        "name": _tag(struct),
        "summary": sentences(struct),
        "payload": {"$ref": _SCHEMAS + struct.__name__},
    }
    if struct is client_events.Refused:
        message["x-codes"] = refusals()
    if struct is client_events.Bye:
        message["x-codes"] = {code: str(sentence) for code, sentence in BYES.items()}
    return message


def _of_stream(kind: StreamKind) -> Iterable[tuple[str, Json, Json]]:
    """Yield name, message and schema of the snapshot and of the events of one kind of streams."""
    number = "" if kind.prefix == "lobby" else ":(0|[1-9][0-9]{0,17})"
    stream = {"type": "string", "pattern": f"^{kind.prefix}{number}$"}
    if kind.state is not None:
        state = {"id": {"type": "string"}, "state": {"$ref": _SCHEMAS + kind.state.__name__}}
        yield _told(kind, client_events.Snapshot, {"stream": stream, **state})
    events = {"oneOf": [{"$ref": _SCHEMAS + event.__name__} for event in kind.events]}
    named = {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}}
    listed = {"type": "array", "items": {"allOf": [named, events]}}
    yield _told(kind, client_events.Events, {"stream": stream, "events": listed})


def _told(kind: StreamKind, struct: type, fields: Json) -> tuple[str, Json, Json]:
    name = f"{kind.prefix}_{_tag(struct)}"
    schema = {
        "type": "object",
        "required": ["type", *fields],
        "properties": {"type": {"const": _tag(struct)}, **fields},
    }
    summary = f"{sentences(struct)} This form is of `{kind.prefix}` streams."
    payload = {"$ref": _SCHEMAS + _title(name)}
    return name, {"name": _tag(struct), "summary": summary, "payload": payload}, schema


def _schemas(structs: Iterable[type]) -> dict[str, Json]:
    kinds = all_kinds()
    events = {event: None for kind in kinds for event in kind.events}
    states = {kind.state: None for kind in kinds if kind.state is not None}
    wanted = [*structs, *events, *states]
    _, found = msgspec.json.schema_components(wanted, ref_template=_SCHEMAS + "{name}")
    return found


def _draft_7(schema: Any) -> Any:
    """Return a schema of JSON Schema 2020-12 in the words of draft 7, which AsyncAPI reads."""
    match schema:
        case {"prefixItems": items, "items": rest, **others}:
            return _draft_7({**others, "items": items, "additionalItems": rest})
        case {"description": str(words), **others} if words != " ".join(words.split()):
            return _draft_7({"description": " ".join(words.split()), **others})
        case {"pattern": str(pattern)} if pattern != told_pattern(pattern):
            return _draft_7(schema | {"pattern": told_pattern(pattern)})
        case {"discriminator": _, "anyOf": parts, **others}:
            return _draft_7({"oneOf": parts, **others})
        case dict():
            return {key: _draft_7(value) for key, value in schema.items()}
        case list():
            return [_draft_7(part) for part in schema]
    return schema


def _tag(struct: type) -> str:
    tag: str = struct.__struct_config__.tag  # type: ignore[attr-defined]
    return tag


def _title(name: str) -> str:
    """Return the schema's name of a stream's message: `SnapshotOfTable` of `table_snapshot`."""
    prefix, _, kind = name.partition("_")
    return f"{kind.capitalize()}Of{prefix.capitalize()}"
