"""No circle of modules: each module can be read, tested and moved without its callers."""

from __future__ import annotations

from tests.style.modules import app_modules, circles, client_modules, graph


def test_no_modules_import_each_other() -> None:
    places = app_modules() | client_modules()
    sources = {name: path.read_text() for name, path in places.items()}
    assert circles(graph(sources)) == []


def test_a_circle_through_a_function_or_a_type_is_found() -> None:
    sources = {
        "a": "import b",
        "b": "def later():\n    from c import x",
        "c": "from a import y",
        "d": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import e",
        "e": "import d",
    }
    assert circles(graph(sources)) == [["a", "b", "c"], ["d", "e"]]
