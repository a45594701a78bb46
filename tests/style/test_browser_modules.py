"""Modules of the browser: folders by page, imports one way, no circle, nothing unused."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.style.modules import circles
from tests.style.sources import HOME, files, name

SCRIPTS = HOME / "static" / "js"
MODULES_MAX = 20

BELOW = {
    "shared": set(),
    "cards": {"shared"},
    "state": {"cards", "shared"},
    "everywhere": {"state", "shared"},
    "table/actions": {"state", "cards", "shared"},
    "table/felt": {"state", "cards", "shared"},
    "table/seat": {"everywhere", "state", "shared"},
    "fair": {"cards", "shared"},
    "chat": {"state", "shared"},
    "table": {
        *("table/actions", "table/felt", "table/seat", "chat", "fair", "everywhere"),
        *("state", "cards", "shared"),
    },
    "featured": {"table", "state", "shared"},
    "overlay": {"featured", "state", "cards", "shared"},
    "hand": {"table", "table/felt", "fair", "state", "shared"},
    "lobby": {"shared"},
    "ring": {"everywhere", "shared"},
    "tournament": {"everywhere", "shared"},
    "admin": {"shared"},
    "account": {"fair", "shared"},
}
"""Folders of modules, each with the folders that its modules may import."""

_IMPORT = re.compile(r"""(?:^import|^export|\bfrom|\bimport\()\s*["']([^"']+)["']""", re.MULTILINE)
_HEAD = re.compile(r"// (?!(Who|Whose|What|Whether|Which|How|Where|The same|These)\b)[A-Z]")
_ENTRY = re.compile(r"""["']js/([\w/]+\.js)["']""")


def _modules() -> dict[str, Path]:
    return {
        str(path.relative_to(SCRIPTS)): path for path in files(".js") if SCRIPTS in path.parents
    }


def _imported(path: Path) -> Iterator[str]:
    for target in _IMPORT.findall(path.read_text()):
        yield str((path.parent / target).resolve().relative_to(SCRIPTS))


def _graph() -> dict[str, set[str]]:
    return {module: set(_imported(path)) for module, path in _modules().items()}


def _folder(module: str) -> str:
    return module.rpartition("/")[0]


def test_every_import_names_a_module() -> None:
    graph = _graph()
    assert sum(len(targets) for targets in graph.values()) > 200
    assert set().union(*graph.values()) - set(graph) == set()


def test_imports_run_one_way_between_folders() -> None:
    wrong = [
        f"{module} imports {target}"
        for module, targets in _graph().items()
        for target in targets
        if _folder(target) not in {_folder(module), *BELOW[_folder(module)]}
    ]
    assert wrong == []


@pytest.mark.parametrize("folder", BELOW)
def test_allowed_folders_allow_nothing_back(folder: str) -> None:
    def reached(start: str) -> set[str]:
        return set(BELOW[start]).union(*(reached(end) for end in BELOW[start]))

    assert folder not in reached(folder)


def test_no_modules_import_each_other() -> None:
    assert circles(_graph()) == []


def test_folders_are_small_and_known() -> None:
    sizes = Counter(map(_folder, _modules()))
    assert set(sizes) == set(BELOW)
    assert {folder: size for folder, size in sizes.items() if size > MODULES_MAX} == {}


def test_no_module_repeats_the_name_of_its_folder() -> None:
    repeating = [
        module
        for module in _modules()
        if Path(module).stem.startswith(_folder(module).rpartition("/")[2])
    ]
    assert repeating == []


def test_every_module_is_loaded_by_a_page() -> None:
    graph = _graph()
    pages = [path for path in files(".html", ".py") if path.parts[len(HOME.parts)] != "tests"]
    found = {module for path in pages for module in _ENTRY.findall(path.read_text())}
    assert found <= set(graph), "a page names a module that is missing"
    waiting = list(found)
    while waiting:
        new = graph[waiting.pop()] - found
        found |= new
        waiting += new
    assert set(graph) - found == set()


def test_every_module_begins_with_a_plain_sentence() -> None:
    begins = {name(path): path.read_text().splitlines()[0] for path in _modules().values()}
    assert {path: line for path, line in begins.items() if not _HEAD.match(line)} == {}
