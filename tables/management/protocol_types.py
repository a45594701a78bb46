"""Write docs/protocol.d.ts: the structs of the wire as types for scripts."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from msgspec import inspect

from tables.gateway.streams.known_kinds import all_kinds
from tables.management.protocol_page import SERVER, members, sentences
from tables.wire import client_commands

TYPES = Path(__file__).resolve().parents[2] / "docs" / "protocol.d.ts"
HEAD = """\
// Types of the messages, events and snapshots in protocol.md; written by `manage.py protocol_docs`.

declare namespace Wire {
"""


def types() -> str:
    """Return the whole file."""
    shown = _Interfaces()
    unions = {
        "ClientMessage": shown.union(members(client_commands.ClientMessage), sent=True),
        "ServerMessage": shown.union(SERVER),
    }
    for kind in all_kinds():
        unions[f"{kind.prefix.capitalize()}Event"] = shown.union(kind.events)
        if kind.state is not None:
            shown.mention(inspect.type_info(kind.state))
    named = {name: f"type {name} =\n  | {union};" for name, union in unions.items()}
    interfaces = shown.interfaces()
    assert not named.keys() & interfaces.keys()
    parts = [*named.values(), *(interfaces[name] for name in sorted(interfaces))]
    return HEAD + "\n\n".join(_indented(part) for part in parts) + "\n}\n"


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())


class _Interfaces:
    """Interfaces of structs, with all structs that those mention."""

    def __init__(self) -> None:
        self._mentioned: dict[str, Any] = {}
        self._sent: set[str] = set()

    def union(self, structs: Iterable[type], *, sent: bool = False) -> str:
        """Return the union of these structs; clients leave out defaults of messages they send."""
        infos = inspect.multi_type_info(structs)
        if sent:
            self._sent.update(info.cls.__name__ for info in infos)  # type: ignore[attr-defined]
        return "\n  | ".join(self.mention(info) for info in infos)

    def mention(self, info: Any) -> str:
        """Return the name of a struct's interface."""
        name: str = info.cls.__name__
        assert self._mentioned.setdefault(name, info).cls is info.cls, name
        return name

    def interfaces(self) -> dict[str, str]:
        """Return the declarations of all mentioned structs by name."""
        texts: dict[str, str] = {}
        while waiting := [name for name in self._mentioned if name not in texts]:
            for name in waiting:
                texts[name] = self._interface(name, self._mentioned[name])
        return texts

    def _interface(self, name: str, info: Any) -> str:
        rows = [] if info.tag is None else [f'  {info.tag_field}: "{info.tag}";']
        omits = name in self._sent or info.cls.__struct_config__.omit_defaults
        for field in info.fields:
            mark = "?" if omits and not field.required else ""
            rows.append(f"  {field.encode_name}{mark}: {self._type(field.type)};")
        return "\n".join([f"/** {sentences(info.cls)} */", f"interface {name} {{", *rows, "}"])

    def _type(self, info: Any) -> str:
        match info:
            case inspect.StructType():
                return self.mention(info)
            case inspect.UnionType():
                return " | ".join(self._type(part) for part in info.types)
            case inspect.ListType() | inspect.VarTupleType() | inspect.CollectionType():
                return f"Array<{self._type(info.item_type)}>"
            case inspect.TupleType():
                return f"[{', '.join(self._type(part) for part in info.item_types)}]"
            case inspect.DictType():
                return f"Record<string, {self._type(info.value_type)}>"
            case inspect.LiteralType():
                return " | ".join(f'"{value}"' for value in info.values)
        return _PLAIN[type(info)]


_PLAIN: dict[Any, str] = {
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.StrType: "string",
    inspect.BoolType: "boolean",
    inspect.NoneType: "null",
    inspect.AnyType: "any",
    inspect.RawType: "any",
}
