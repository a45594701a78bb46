"""Static files of two releases in one folder, as they are during an upgrade."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import call_command
from django.http import HttpResponse
from django.test import RequestFactory
from pytest_django.fixtures import Settings

from config.files.hashed_names import HashedStaticFiles
from config.files.static_files import StaticFiles

PAGE, PART = "js/page.js", "js/part.js"


@pytest.fixture
def root(settings: Settings, tmp_path: Path) -> Path:
    """Folder in which two small releases, `older` and `newer`, gather their static files."""
    for release in ("older", "newer"):
        sources = tmp_path / release / "js"
        sources.mkdir(parents=True)
        (sources / "page.js").write_text('import { name } from "./part.js";\n')
        (sources / "part.js").write_text(f'export const name = "{release}";\n')
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    storage = {"BACKEND": "config.files.hashed_names.HashedStaticFiles"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": storage}
    settings.WHITENOISE_USE_FINDERS = settings.WHITENOISE_AUTOREFRESH = False
    settings.STATIC_ROOT = str(tmp_path / "root")
    (tmp_path / "root" / "js").mkdir(parents=True)
    return tmp_path / "root"


def become(release: str, settings: Settings, root: Path) -> HashedStaticFiles:
    """Return the storage of a web process of a release that starts now."""
    settings.STATICFILES_DIRS = [root.parent / release]
    return HashedStaticFiles()


def gather(release: str, settings: Settings, root: Path) -> str:
    """Gather the files of a release; return the name of its page's module."""
    settings.STATICFILES_DIRS = [root.parent / release]
    call_command("collectstatic", interactive=False, verbosity=0)
    name: str = become(release, settings, root).stored_name(PAGE)
    return name


def served(middleware: StaticFiles, path: str) -> bytes | None:
    request = RequestFactory().get("/")
    request.path_info = path
    answer = middleware(request)
    return b"".join(answer) if answer.status_code == 200 else None


def serving() -> StaticFiles:
    return StaticFiles(lambda request: HttpResponse(status=404))


def test_a_restarted_process_serves_the_names_of_its_own_release(
    root: Path, settings: Settings
) -> None:
    older, newer = gather("older", settings, root), gather("newer", settings, root)
    assert older != newer
    assert become("older", settings, root).stored_name(PAGE) == older
    assert become("newer", settings, root).stored_name(PAGE) == newer
    files = {path: path.read_bytes() for path in root.rglob("*.*.js")}
    assert len(files) == 4
    # Gathering again, in any order, takes no file away.
    assert gather("older", settings, root) == older
    assert gather("newer", settings, root) == newer
    assert {path: path.read_bytes() for path in root.rglob("*.*.js")} == files


def test_a_running_process_serves_what_another_release_gathers_later(
    root: Path, settings: Settings
) -> None:
    older = gather("older", settings, root)
    running = serving()
    assert served(running, f"/static/{older}")
    newer = gather("newer", settings, root)
    part = become("newer", settings, root).stored_name(PART)
    for name in (older, newer, part):
        assert served(running, f"/static/{name}") == (root / name).read_bytes()


def test_a_release_whose_files_were_not_gathered_serves_the_last_ones(
    root: Path, settings: Settings
) -> None:
    older = gather("older", settings, root)
    assert become("newer", settings, root).stored_name(PAGE) == older


def test_a_file_that_was_cut_off_is_written_again(root: Path, settings: Settings) -> None:
    page = root / gather("older", settings, root)
    whole = page.read_bytes()
    page.write_bytes(whole[:5])
    gather("older", settings, root)
    assert page.read_bytes() == whole


def test_only_gathered_files_of_hashed_names_are_looked_for(root: Path, settings: Settings) -> None:
    gather("older", settings, root)
    running = serving()
    before = dict(running.files)
    (root / "js" / "late.js").write_text("export {};")
    (root / "js" / "folder.0123456789ab.js").mkdir()
    (root.parent / "secret.0123456789ab.js").write_text("secret")
    for path in (
        "/static/js/late.js",
        "/static/js/missing.0123456789ab.js",
        "/static/js/folder.0123456789ab.js",
        "/static/../secret.0123456789ab.js",
        f"/static/{root.parent}/secret.0123456789ab.js",
        "/static/js\0/page.0123456789ab.js",
        "/secret.0123456789ab.js",
        "/static/",
    ):
        assert served(running, path) is None, path
    assert running.files == before


def test_browsers_keep_drawings_of_cards_for_a_day(root: Path, settings: Settings) -> None:
    cards = root.parent / "older" / "cards"
    cards.mkdir()
    (cards / "Ks.svg").write_text("<svg/>")
    gather("older", settings, root)
    hashed = HashedStaticFiles().stored_name("cards/Ks.svg")
    kept = {name: serving().files[f"/static/{name}"] for name in ("cards/Ks.svg", hashed, PAGE)}
    told = {name: dict(file.get_response("GET", {}).headers) for name, file in kept.items()}
    assert told["cards/Ks.svg"]["Cache-Control"] == "max-age=86400, public"
    assert told[PAGE]["Cache-Control"] == "max-age=60, public"
    assert "immutable" in told[hashed]["Cache-Control"]
