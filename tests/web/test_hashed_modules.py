"""Modules of the browser under hashed names: an old page never loads a part of a new version."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from django.contrib.staticfiles.storage import ManifestStaticFilesStorage, staticfiles_storage
from django.core.management import call_command
from playwright.sync_api import Page, Response
from pytest_django.fixtures import Settings
from redis import Redis

from config import asgi
from config.door.one_thread import OneThreadHandler
from config.door.pages import Pages
from config.environment import HOME
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import ORIGIN
from tests.web.two_tables import TwoTables
from tests.web.visiting import Visit, visit

__all__ = ["site", "visit"]

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")

HASHED = re.compile(r"^(.*)\.([0-9a-f]{12})\.js$")
EVERYWHERE = "everywhere"
PAGES = [EVERYWHERE, "table", "hand", "lobby", "tournament", "chat"]
ENTRIES = {"table": ("table",), "tournament": ("tournament", "chat"), "lobby": ("lobby",)}
"""Page of the site -> the modules that it names, beside those of every page."""
_IMPORTED = re.compile(r"""(?:from|import)\s*"([^"]+)";""")


def stored_name(source: str) -> str:
    """Return the hashed name of a static file."""
    assert isinstance(staticfiles_storage, ManifestStaticFilesStorage)
    return staticfiles_storage.stored_name(source)


@dataclass(frozen=True)
class Gathered:
    """Sources of static files, and the folder from which they are served."""

    sources: Path
    root: Path

    def gather(self) -> None:
        """Collect the static files again; files of earlier versions stay."""
        call_command("collectstatic", interactive=False, verbosity=0)

    def change(self, module: str) -> None:
        """Change the content of a module."""
        with (self.sources / "js" / module).open("a") as file:
            file.write("\nexport const CHANGED = true;\n")

    def entry(self, page: str) -> str:
        """Return the current name of a page's module."""
        return stored_name(f"js/{page}/page.js")

    def loaded_by(self, page: str) -> set[str]:
        """Return the names of all modules of a page of the site."""
        return self.closure(*(self.entry(name) for name in (EVERYWHERE, *ENTRIES[page])))

    def closure(self, *entries: str) -> set[str]:
        """Return the names of the modules that the entries load, themselves included."""
        found: set[str] = set()
        waiting = list(entries)
        while waiting:
            module = waiting.pop()
            if module not in found:
                found.add(module)
                folder = (self.root / module).parent
                targets = _IMPORTED.findall((self.root / module).read_text())
                paths = [(folder / target).resolve() for target in targets]
                waiting += [str(PurePosixPath(path.relative_to(self.root))) for path in paths]
        return found


@pytest.fixture
def gathered(settings: Settings, tmp_path: Path) -> Gathered:
    sources, root = tmp_path / "sources", tmp_path / "root"
    shutil.copytree(HOME / "static", sources)
    root.mkdir()
    storage = {"BACKEND": "config.files.hashed_names.HashedStaticFiles"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": storage}
    settings.STATICFILES_DIRS = [sources]
    settings.STATIC_ROOT = str(root)
    settings.WHITENOISE_USE_FINDERS = False
    settings.WHITENOISE_AUTOREFRESH = False
    files = Gathered(sources, root)
    files.gather()
    return files


def _serve(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the web process serve the files that are gathered now, as after a restart."""
    pages: Any = Pages(OneThreadHandler())
    monkeypatch.setitem(asgi.application.application_mapping, "http", pages)


def _plain(names: set[str]) -> set[str]:
    """Return the names without hashes; each name must have one."""
    matches = {name: HASHED.match(name) for name in names}
    assert [name for name, match in matches.items() if match is None] == []
    return {f"{match[1]}.js" for match in matches.values() if match}


def _loaded(page: Page, address: str) -> dict[str, Response]:
    """Load a page, and return the answers with its modules by name."""
    answers: dict[str, Response] = {}

    def note(response: Response) -> None:
        _, found, name = response.url.partition("/static/js/")
        if found:
            answers[f"js/{name}"] = response

    page.on("response", note)
    page.goto(f"{ORIGIN}{address}", wait_until="load")
    page.remove_listener("response", note)
    return answers


def test_every_module_has_a_hashed_name(gathered: Gathered) -> None:
    sources = {str(path.relative_to(gathered.sources)) for path in gathered.sources.rglob("*.js")}
    names = {stored_name(name) for name in sources}
    assert len(names) > 60
    assert _plain(names) == sources
    assert gathered.closure(*names) == names


def test_a_change_renames_a_module_and_all_that_import_it(gathered: Gathered) -> None:
    entries = {page: gathered.entry(page) for page in PAGES}
    before = {page: gathered.closure(entry) for page, entry in entries.items()}
    contents = {name: (gathered.root / name).read_bytes() for name in set().union(*before.values())}
    gathered.change("cards/hand_words.js")
    gathered.gather()
    after = {page: gathered.closure(gathered.entry(page)) for page in PAGES}
    renamed = _plain(before["table"] - after["table"])
    assert _plain(after["table"] - before["table"]) == renamed
    importers = ["state/log_lines", "table/felt/seat_view", "table/poker_table", "table/page"]
    assert {f"js/{name}.js" for name in ("cards/hand_words", *importers)} <= renamed
    others = ["shared/dom", "shared/socket", "cards/hand_parts", "table/spin_drum"]
    assert {f"js/{name}.js" for name in others} <= _plain(before["table"] & after["table"])
    assert after["lobby"] == before["lobby"]
    # A page of before the change finds all its modules, as they were, and no newer one.
    assert {name: (gathered.root / name).read_bytes() for name in contents} == contents
    assert {page: gathered.closure(entry) for page, entry in entries.items()} == before


def test_a_browser_loads_one_version_of_each_module_and_keeps_it(
    visit: Visit, room: Redis, gathered: Gathered, monkeypatch: pytest.MonkeyPatch
) -> None:
    _serve(monkeypatch)
    two = TwoTables(room)
    addresses = {
        "table": f"/tables/{two.table(0)}/",
        "tournament": f"/tournaments/{two.games[1].pk}/",
        "lobby": "/",
    }
    # A visitor without a seat: a seated player's lobby may go on to his table while it loads.
    window = visit(None, "/players/")
    before = {page: _loaded(window, address) for page, address in addresses.items()}
    for page, answers in before.items():
        assert set(answers) == gathered.loaded_by(page)
        caching = {name: answer.headers["cache-control"] for name, answer in answers.items()}
        assert [name for name, told in caching.items() if "immutable" not in told] == []

    gathered.change("shared/dom.js")
    gathered.gather()
    _serve(monkeypatch)
    for page, address in addresses.items():
        old, new = set(before[page]), set(_loaded(window, address))
        assert new == gathered.loaded_by(page)
        # Each module is there once: unchanged under its old name, else under its new one.
        assert len(new) == len(_plain(new)) and _plain(new) == _plain(old)
        assert {"js/shared/dom.js", f"js/{page}/page.js"} <= _plain(old - new)
        assert old & new, "modules without a changed import keep their names"
    stale = f"{ORIGIN}/static/{min(old - new)}"
    assert window.evaluate("async (address) => (await fetch(address)).status", stale) == 200
