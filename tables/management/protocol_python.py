"""Write client/room_client/messages: the structs of the wire for the Python client."""

from __future__ import annotations

import re
import textwrap
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect

from tables.engine.variants import VARIANTS
from tables.gateway.streams.known_kinds import all_kinds
from tables.management.protocol_page import SERVER, members, sentences
from tables.wire import client_commands

FOLDER = Path(__file__).resolve().parents[2] / "client" / "room_client" / "messages"

_MODULES = {
    "tables.wire.client_commands": ("commands", "Messages that a client sends."),
    "tables.wire.client_events": ("frames", "Messages that the room sends, and its tables."),
    "tables.wire.table_events": ("tables", "Events of a table around its hands."),
    "tables.engine.events": ("hands", "Events of a hand."),
    "tables.engine.actions": ("options", "Actions open to the seat to act."),
    "tables.chat.events": ("chat", "Messages of chats."),
    "tables.conduct.warnings.notices": ("conduct", "Notices of warnings to their players."),
    "tables.cardsup.events": ("cards_up", "Hands told again with all cards, after a delay."),
    "tables.ring.notices": ("ring", "Notices of ring games to their players."),
    "tournaments.events.client_events": ("tournaments", "Events of tournaments."),
    "tournaments.events.notices": ("tournaments", "Events of tournaments."),
    "tournaments.events.lobby_row": ("tournaments", "Events of tournaments."),
    "tournaments.events.buying": ("buying", "Events of re-buys, add-ons and entries."),
    "tournaments.events.rulings": ("rulings", "Events of rulings in tournaments."),
    "tournaments.events.prizes": ("prizes", "Events of prizes, tickets and bounties."),
    "tournaments.events.formats": ("formats", "Events of single formats of tournaments."),
    "tournaments.streams.snapshots": ("snapshots", "States of streams that are no tables."),
    "tournaments.streams.field_facts": ("field", "Facts of a tournament, told with a delay."),
    "tournaments.queries.show": ("spectators", "Rows of what spectators see of a tournament."),
    "tournaments.queries.overview": ("overview", "Rows of tournaments."),
    "tournaments.queries.players": ("players", "Rows of players of tournaments."),
    "tournaments.queries.mine": ("mine", "Rows of the own seats and offers."),
}
"""Module of the room -> module of the client with its structs, and what that holds."""

_HEAD = '''\
"""{about} Written by `manage.py protocol_docs`."""

from __future__ import annotations
'''
_WIDTH = 96


def texts() -> dict[Path, str]:
    """Return all files by path."""
    package = _Package()
    unions = {
        "ClientMessage": package.union(members(client_commands.ClientMessage)),
        "ServerMessage": package.union(SERVER),
    }
    for kind in all_kinds():
        if kind.state is not None:
            package.mention(inspect.type_info(kind.state))
        if kind.events:
            unions[f"{kind.prefix.capitalize()}Event"] = package.union(kind.events)
    files = {f"{name}.py": text for name, text in package.modules().items()}
    files["streams.py"] = _streams(unions, package)
    files["__init__.py"] = _HEAD.format(about="Messages of the room, one struct each.")
    return {FOLDER / name: text for name, text in sorted(files.items())}


def _streams(unions: dict[str, list[str]], package: _Package) -> str:
    """Return the module of unions: what a client may send, and what each stream may tell."""
    about = "Unions of messages and of the events of each kind of streams."
    names = {name for union in unions.values() for name in union}
    streets = {name: game.streets[0].street for name, game in VARIANTS.items()}
    parts = [_HEAD.format(about=about), *package.imports(names, "")]
    parts += [f"\n{name} = (\n    {_ORED.join(union)}\n)" for name, union in unions.items()]
    first = "\n".join(f'    "{name}": "{street}",' for name, street in streets.items())
    parts.append(f'\nFIRST_STREETS = {{\n{first}\n}}\n"""Game -> its first street."""\n')
    return "\n".join(parts)


_ORED = "\n    | "


class _Package:
    """Structs to write, with all structs that those mention, by module of the client."""

    def __init__(self) -> None:
        self._mentioned: dict[str, Any] = {}

    def union(self, structs: Iterable[type]) -> list[str]:
        """Return the names of these structs, which are written too."""
        return [self.mention(info) for info in inspect.multi_type_info(structs)]

    def mention(self, info: Any) -> str:
        """Return the name of a struct, which is written too."""
        name: str = info.cls.__name__
        if self._mentioned.setdefault(name, info).cls is not info.cls:
            raise AssertionError(f"two structs named {name}")
        return name

    def modules(self) -> dict[str, str]:
        """Return the text of each module with structs."""
        classes: dict[str, dict[str, str]] = defaultdict(dict)
        while waiting := [name for name in self._mentioned if name not in _named(classes)]:
            for name in waiting:
                info = self._mentioned[name]
                classes[_MODULES[info.cls.__module__][0]][name] = self._struct(info)
        return {module: self._module(module, found) for module, found in classes.items()}

    def imports(self, names: Iterable[str], module: str) -> Iterator[str]:
        """Yield the imports of these structs into a module, those of its own left out."""
        by_module = defaultdict(list)
        for name in sorted(names):
            by_module[_MODULES[self._mentioned[name].cls.__module__][0]].append(name)
        for source, found in sorted(by_module.items()):
            if source != module:
                listed = "".join(f"    {name},\n" for name in found)
                yield f"from room_client.messages.{source} import (\n{listed})"

    def _module(self, module: str, classes: dict[str, str]) -> str:
        about = next(about for name, about in _MODULES.values() if name == module)
        text = "\n\n\n".join(_in_order(classes))
        others = {name for name in self._mentioned if name not in classes and _uses(text, name)}
        needed = [
            line for line in ("from typing import Any, Literal",) if _uses(text, "Literal|Any")
        ]
        head = [_HEAD.format(about=about), *needed, *([""] if needed else []), "import msgspec"]
        imports = list(self.imports(others, module))
        return "\n".join([*head, *([""] if imports else []), *imports, "", "", text, ""])

    def _struct(self, info: Any) -> str:
        name, config = info.cls.__name__, info.cls.__struct_config__
        bases = ["msgspec.Struct", "frozen=True"]
        if info.tag is not None:
            bases += [f'tag_field="{info.tag_field}"', f'tag="{info.tag}"']
        if config.omit_defaults or info.cls.__module__ == client_commands.__name__:
            bases.append("omit_defaults=True")
        words = textwrap.wrap(sentences(info.cls), _WIDTH - 4)
        doc = "\n    ".join(words) if len(words) == 1 else "\n    ".join([*words, ""])
        rows = [self._field(field) for field in info.fields]
        return "\n".join(
            [
                f"class {name}({', '.join(bases)}):",
                f'    """{doc}"""',
                *([""] if rows else []),
                *rows,
            ]
        )

    def _field(self, field: Any) -> str:
        row = f"    {field.encode_name}: {self._type(field.type)}"
        if field.required:
            return row
        if field.default is msgspec.NODEFAULT:
            return f"{row} = msgspec.field(default_factory={field.default_factory.__name__})"
        if isinstance(field.default, msgspec.Struct):
            return f"{row} = {type(field.default).__name__}()"
        return f"{row} = {field.default!r}"

    def _type(self, info: Any) -> str:
        match info:
            case inspect.StructType():
                return self.mention(info)
            case inspect.UnionType():
                return " | ".join(self._type(part) for part in info.types)
            case inspect.ListType():
                return f"list[{self._type(info.item_type)}]"
            case inspect.VarTupleType() | inspect.CollectionType():
                return f"tuple[{self._type(info.item_type)}, ...]"
            case inspect.TupleType():
                return f"tuple[{', '.join(self._type(part) for part in info.item_types)}]"
            case inspect.DictType():
                return f"dict[{self._type(info.key_type)}, {self._type(info.value_type)}]"
            case inspect.LiteralType():
                return f"Literal[{', '.join(sorted(map(repr, info.values)))}]"
        return _PLAIN[type(info)]


_PLAIN: dict[Any, str] = {
    inspect.IntType: "int",
    inspect.FloatType: "float",
    inspect.StrType: "str",
    inspect.BoolType: "bool",
    inspect.NoneType: "None",
    inspect.AnyType: "Any",
    inspect.RawType: "msgspec.Raw",
}


def _named(classes: dict[str, dict[str, str]]) -> set[str]:
    return {name for found in classes.values() for name in found}


def _uses(text: str, words: str) -> bool:
    return re.search(rf"\b({words})\b", text) is not None


def _in_order(classes: dict[str, str]) -> Iterator[str]:
    """Yield classes so that each comes after those whose instances are its defaults."""
    left = dict(classes)
    while left:
        for name, text in list(left.items()):
            if not any(f"= {other}()" in text for other in left if other != name):
                yield left.pop(name)
