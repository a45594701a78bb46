"""Write docs/protocol.md from the structs of the wire, so that the page stays current."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from types import UnionType
from typing import Any, get_args

import msgspec
from msgspec import inspect

from config import limits
from tables.chat import refusals as chat_refusals
from tables.dealer import refusals as table_refusals
from tables.engine import refusals as hand_refusals
from tables.gateway.streams.known_kinds import all_kinds
from tables.gateway.words import BYES, REFUSALS
from tables.wire import client_commands, client_events

PROSE = Path(__file__).with_name("protocol_prose.md")
PAGE = Path(__file__).resolve().parents[2] / "docs" / "protocol.md"

BASES = (hand_refusals.ActionRefusal, chat_refusals.ChatRefusal)
"""Bases of refusals, without a code of their own."""

SERVER = (
    client_events.Welcome,
    client_events.Snapshot,
    client_events.Events,
    client_events.Result,
    client_events.Refused,
    client_events.Pong,
    client_events.StackRank,
    client_events.TakenOver,
    client_events.Disconnected,
    client_events.Bye,
)


def page() -> str:
    """Return the whole page."""
    text = PROSE.read_text()
    for name, part in _parts().items():
        mark = f"<!-- {name} -->"
        assert text.count(mark) == 1, mark
        text = text.replace(mark, part.strip())
    for name, value in vars(limits).items():
        if isinstance(value, int | float):
            text = text.replace(f"{{{name}}}", f"{value:,}")
    return text


def _parts() -> dict[str, str]:
    shown = _Structs()
    return {
        "client messages": shown.sections(members(client_commands.ClientMessage)),
        "server messages": shown.sections(SERVER),
        "streams": "\n\n".join(_kind(kind, shown) for kind in all_kinds()),
        "refusals": _table(("code", "sentence"), refusals().items()),
        "byes": _table(("code", "sentence"), [(code, str(words)) for code, words in BYES.items()]),
        "values": shown.rest(),
    }


def members(union: Any) -> Iterator[type]:
    """Return the structs of a union, of nested unions too."""
    for member in get_args(union):
        if isinstance(member, UnionType):
            yield from members(member)
        else:
            yield member


def _kind(kind: Any, shown: _Structs) -> str:
    number = "" if kind.prefix == "lobby" else ":<number>"
    parts = [f"### `{kind.prefix}{number}`"]
    if kind.state is not None:
        parts.append(f"Snapshot: {shown.link(inspect.type_info(kind.state))}.")
    parts.append(shown.sections(kind.events, level=4))
    return "\n\n".join(parts)


def refusals() -> dict[str, str]:
    """Return the sentences of all refusals of messages by their codes."""
    rows = {code: str(sentence) for code, sentence in REFUSALS.items()}
    for module in (table_refusals, hand_refusals, chat_refusals):
        for refusal in vars(module).values():
            own = isinstance(refusal, type) and refusal.__module__ == module.__name__
            if own and refusal not in BASES:
                rows[refusal.code] = str(refusal.sentence)
    return rows


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    lines += [f"| `{row[0]}` | {' | '.join(row[1:])} |" for row in rows]
    return "\n".join(lines)


class _Structs:
    """Describe structs, and remember the structs they mention until those are described too."""

    def __init__(self) -> None:
        self._mentioned: dict[str, Any] = {}

    def sections(self, structs: Iterable[type], *, level: int = 3) -> str:
        """Return a section for each struct."""
        infos = inspect.multi_type_info(structs)
        return "\n\n".join(self._section(info, level) for info in infos)

    def rest(self) -> str:
        """Return sections for all mentioned structs, and for the structs those mention."""
        sections_by_name: dict[str, str] = {}
        while waiting := [name for name in self._mentioned if name not in sections_by_name]:
            for name in waiting:
                sections_by_name[name] = self._section(self._mentioned[name], 3)
        return "\n\n".join(sections_by_name[name] for name in sorted(sections_by_name))

    def _section(self, info: Any, level: int) -> str:
        title = info.tag if info.tag is not None else info.cls.__name__
        parts = [f"{'#' * level} `{title}`", sentences(info.cls)]
        rows = [(field.encode_name, self._type(field.type), _need(field)) for field in info.fields]
        if rows:
            parts.append(_table(("field", "value", "default"), rows))
        return "\n\n".join(parts)

    def link(self, info: Any) -> str:
        """Return a link to a struct under "Values", or to an event's own section."""
        if info.tag is not None:
            return f"[{info.tag}](#{info.tag})"
        name = info.cls.__name__
        self._mentioned[name] = info
        return f"[{name}](#{name.lower()})"

    def _type(self, info: Any) -> str:
        match info:
            case inspect.StructType():
                return self.link(info)
            case inspect.UnionType():
                return " or ".join(self._type(part) for part in info.types)
            case inspect.ListType() | inspect.VarTupleType() | inspect.CollectionType():
                return f"list of {self._type(info.item_type)}"
            case inspect.TupleType():
                return f"[{', '.join(self._type(part) for part in info.item_types)}]"
            case inspect.DictType():
                return f"object: {self._type(info.key_type)} to {self._type(info.value_type)}"
            case inspect.LiteralType():
                return ", ".join(f'`"{value}"`' for value in info.values)
        return _plain(info)


def _plain(info: Any) -> str:
    match info:
        case inspect.IntType():
            words = "integer"
            if info.ge is not None:
                words += f", {info.ge} to 2^53 - 1" if info.le == 2**53 - 1 else f" from {info.ge}"
            return words
        case inspect.StrType():
            words = "text" + (f" up to {info.max_length} characters" if info.max_length else "")
            return words + (
                f" matching `{_escaped(told_pattern(info.pattern))}`" if info.pattern else ""
            )
        case inspect.BoolType():
            return "true or false"
        case inspect.FloatType():
            return "number"
        case inspect.NoneType():
            return "null"
        case inspect.AnyType() | inspect.RawType():
            return "any JSON"
    raise AssertionError(info)


def told_pattern(pattern: str) -> str:
    """Return a pattern of client messages for readers whose `$` matches at the end alone."""
    begin = pattern.removesuffix(client_commands.END)
    return pattern if begin == pattern else begin + "$"


def _escaped(pattern: str) -> str:
    return pattern.replace("|", r"\|")


def _need(field: Any) -> str:
    if field.required:
        return "required"
    if field.default is msgspec.NODEFAULT or field.default == ():
        return "empty"
    return f"`{msgspec.json.encode(field.default).decode()}`"


def sentences(struct: type) -> str:
    """Return the docstring of a struct in one line."""
    lines = (struct.__doc__ or "").strip().splitlines()
    return " ".join(line.strip() for line in lines if line.strip())
