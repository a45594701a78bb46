"""Pictures of sponsors: encoded anew for overlays; anything else is refused and changes nothing."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client as Web
from PIL import Image
from redis import Redis

from accounts.models import User
from accounts.stored_files import pictures
from config.door.rates import Rate
from tests.config.files.drawn_pictures import SVG, drawn, png_bomb
from tests.tournaments import course
from tournaments.models import AuditRow, Tournament
from tournaments.overlays import linking, sponsoring
from tournaments.overlays.models import Sponsor

pytestmark = pytest.mark.django_db


Committed = Callable[..., AbstractContextManager[Any]]


@pytest.fixture
def committed(django_capture_on_commit_callbacks: Committed) -> Committed:
    """Run a block, then what waits for its commit."""
    return django_capture_on_commit_callbacks


@pytest.fixture
def files(tmp_path: Path, settings: Any) -> Path:
    """Folder of the storage of uploaded files."""
    settings.MEDIA_ROOT = str(tmp_path)
    return tmp_path


@pytest.fixture
def tournament() -> Tournament:
    """A tournament that shows cards, so that it may have overlays."""
    return course.offer(3, 3, cards_up="everybody")


@pytest.fixture
def chief() -> User:
    """An operator with all rights."""
    return User.objects.create_user("chief", is_staff=True, is_superuser=True)


@pytest.fixture
def web(chief: User) -> Web:
    """A browser of the operator."""
    browser = Web()
    browser.force_login(chief)
    return browser


def upload(web: Web, tournament: Tournament, data: bytes, name: str = "logo.png") -> Any:
    """Answer of the form with a file that claims to be a PNG."""
    file = SimpleUploadedFile(name, data, content_type="image/png")
    return web.post(f"/organise/{tournament.pk}/overlays/sponsor/", {"picture": file})


def stored(files: Path) -> list[Path]:
    """Files in the storage."""
    return [path for path in files.rglob("*") if path.is_file()]


def shown(page: Any) -> bytes:
    """Picture in a page, from its one address of a picture."""
    words = page.content.decode()
    assert words.count('src="data:image/webp;base64,') == 1
    return base64.b64decode(words.partition('src="data:image/webp;base64,')[2].partition('"')[0])


def test_a_sponsor_is_shown_in_overlays_and_replaced_and_removed(
    files: Path, tournament: Tournament, web: Web, chief: User, committed: Committed
) -> None:
    _, token = linking.make_link(tournament.pk, chief, name="Main", theme="dark")
    assert b"overlay-sponsor" not in web.get(f"/overlay/{token}/").content
    original = drawn("PNG", (1_000, 400))
    assert upload(web, tournament, original).status_code == 302
    [first] = stored(files)
    assert first.read_bytes() != original and first.suffix == ".webp"
    for address in (f"/overlay/{token}/", f"/organise/{tournament.pk}/overlays/"):
        picture = shown(web.get(address))
        assert picture == first.read_bytes()
        assert Image.open(io.BytesIO(picture), formats=["WEBP"]).size == (640, 256)
    with committed(execute=True):
        assert upload(web, tournament, drawn("JPEG")).status_code == 302
    [second] = stored(files)
    assert second != first and shown(web.get(f"/overlay/{token}/")) == second.read_bytes()
    other = course.offer(3, 3, cards_up="everybody")
    _, foreign = linking.make_link(other.pk, chief, name="Main", theme="dark")
    assert b"overlay-sponsor" not in web.get(f"/overlay/{foreign}/").content
    with committed(execute=True):
        web.post(f"/organise/{tournament.pk}/overlays/sponsor/", {"remove": "1"})
    assert not stored(files) and b"overlay-sponsor" not in web.get(f"/overlay/{token}/").content
    actions = AuditRow.objects.filter(tournament=tournament, action__startswith="overlay_sponsor")
    assert [row.action.removeprefix("overlay_sponsor") for row in actions] == ["_removed", "", ""]
    assert not sponsoring.remove_sponsor(tournament.pk, chief)


REFUSED = {
    "scripted SVG": (SVG, "This file is not a readable picture. Accepted: PNG, JPEG, WebP."),
    "GIF": (drawn("GIF"), "This file is not a readable picture. Accepted: PNG, JPEG, WebP."),
    "page": (b"<html><script>1</script>", "This file is not a readable picture."),
    "bomb": (png_bomb(50_000, 50_000), "A picture has at most 16 million pixels."),
    "heavy": (drawn("PNG") + bytes(1_000_000), "A picture has at most 1000 kB."),
}


def test_a_refused_picture_changes_nothing(files: Path, tournament: Tournament, web: Web) -> None:
    upload(web, tournament, drawn("PNG"))
    before = [path.read_bytes() for path in stored(files)], list(Sponsor.objects.values())
    rows = AuditRow.objects.count()
    for kind, (data, sentence) in REFUSED.items():
        answer = upload(web, tournament, data)
        assert answer.status_code == 200 and sentence in answer.content.decode(), kind
        after = [path.read_bytes() for path in stored(files)], list(Sponsor.objects.values())
        assert after == before and AuditRow.objects.count() == rows, kind


def test_uploads_are_limited(
    room: Redis,
    files: Path,
    tournament: Tournament,
    web: Web,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pictures, "UPLOADS", Rate("face-uploads", 1, 0.001))
    assert upload(web, tournament, drawn("PNG")).status_code == 302
    before = stored(files), list(Sponsor.objects.values()), AuditRow.objects.count()
    answer = upload(web, tournament, drawn("JPEG"))
    assert answer.status_code == 200 and "uploaded pictures often" in answer.content.decode()
    assert before == (stored(files), list(Sponsor.objects.values()), AuditRow.objects.count())


def test_a_form_without_a_picture_is_refused(files: Path, tournament: Tournament, web: Web) -> None:
    overlays = f"/organise/{tournament.pk}/overlays/"
    answer = web.post(f"{overlays}sponsor/", {})
    assert "Choose a picture first." in answer.content.decode()
    assert web.get(f"{overlays}sponsor/")["Location"] == overlays, "asked for anew"
    assert not stored(files) and not Sponsor.objects.exists()


def test_players_and_visitors_upload_nothing(files: Path, tournament: Tournament) -> None:
    player = Web()
    assert upload(player, tournament, drawn("PNG")).status_code == 302
    player.force_login(User.objects.create_user("player"))
    assert upload(player, tournament, drawn("PNG")).status_code == 403
    assert not stored(files) and not Sponsor.objects.exists()


def test_a_storage_that_fails_is_told_and_an_overlay_goes_on_without_its_sponsor(
    files: Path, tournament: Tournament, web: Web, chief: User, settings: Any
) -> None:
    upload(web, tournament, drawn("PNG"))
    row = Sponsor.objects.get()
    _, token = linking.make_link(tournament.pk, chief, name="Main", theme="dark")
    blocked = files / "file"
    blocked.write_text("a file is no folder")
    settings.MEDIA_ROOT = str(blocked)
    answer = upload(web, tournament, drawn("JPEG"))
    assert "The room cannot store pictures just now; try again later." in answer.content.decode()
    assert Sponsor.objects.get().file == row.file
    page = web.get(f"/overlay/{token}/")
    assert page.status_code == 200 and b"overlay-sponsor" not in page.content
