"""Pictures and flags of players: encoded anew, replaced, removed, served by key and never else."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.conf import LazySettings
from django.contrib.admin.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponseBase
from django.test import Client
from PIL import Image
from redis import Redis

from accounts.deletion import deleting
from accounts.faces import faces
from accounts.faces.countries import countries
from accounts.faces.faces import Face
from accounts.faces.models import PlayerFace
from accounts.faces.refusals import NoSuchCountry
from accounts.models import User
from accounts.stored_files import pictures
from accounts.users.account_export import zipped
from config.door.rates import Rate
from tests.accounts.browsers import browser
from tests.accounts.s3_receiver import bucket, settings_of
from tests.config.files.drawn_pictures import SVG, drawn, png_bomb

pytestmark = pytest.mark.django_db(transaction=True)

PAGE = "/account/picture/"


@pytest.fixture
def files(tmp_path: Path, settings: LazySettings, room: Redis) -> Path:
    """The folder of files, empty."""
    settings.MEDIA_ROOT = str(tmp_path / "files")
    return tmp_path / "files"


@pytest.fixture
def ann(files: Path) -> User:
    return User.objects.create_user("Ann", password=None)


def _uploads(client: Client, upload: bytes) -> HttpResponseBase:
    # The name and the type of an upload are what its sender likes.
    given = SimpleUploadedFile("x.html", upload, content_type="text/html")
    return client.post(PAGE, {"picture": given}, secure=True)


def _stored(files: Path) -> list[str]:
    return sorted(path.name for path in files.rglob("*") if path.is_file())


def test_a_picture_is_encoded_anew_and_served_by_its_key(ann: User, files: Path) -> None:
    client = browser(ann)
    upload = drawn("JPEG", (900, 600))
    assert _uploads(client, upload).status_code == 302
    key = PlayerFace.objects.get().picture
    assert _stored(files) == [f"{key}.webp"]
    answer = Client().get(f"/pictures/{key}.webp", secure=True)
    assert answer.headers["Content-Type"] == "image/webp"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert answer.content != upload
    shown = Image.open(BytesIO(answer.content))
    assert (shown.format, shown.size) == ("WEBP", (128, 128))
    assert f"/pictures/{key}.webp" in client.get(PAGE, secure=True).content.decode()


def test_a_new_picture_has_a_new_key_and_the_former_is_gone(ann: User, files: Path) -> None:
    client = browser(ann)
    _uploads(client, drawn("PNG"))
    first = PlayerFace.objects.get().picture
    _uploads(client, drawn("WEBP"))
    second = PlayerFace.objects.get().picture
    assert first != second and _stored(files) == [f"{second}.webp"]
    assert Client().get(f"/pictures/{first}.webp", secure=True).status_code == 404
    client.post(PAGE, {"step": "remove"}, secure=True)
    client.post(PAGE, {"step": "remove"}, secure=True)
    assert _stored(files) == [] and PlayerFace.objects.get().picture == ""
    assert Client().get(f"/pictures/{second}.webp", secure=True).status_code == 404


def test_a_file_that_is_no_picture_is_refused_and_the_former_one_stays(
    ann: User, files: Path
) -> None:
    client = browser(ann)
    _uploads(client, drawn("PNG"))
    before = PlayerFace.objects.get().picture, _stored(files)
    bomb = png_bomb(20_000, 20_000)
    for upload in (SVG, b"", b"no picture", drawn("GIF"), bomb, drawn("PNG")[:60]):
        answer = _uploads(client, upload)
        assert answer.status_code == 400, upload[:20]
        assert b"errorlist" in answer.content  # type: ignore[attr-defined]
        assert (PlayerFace.objects.get().picture, _stored(files)) == before, upload[:20]


def test_unknown_keys_are_missing_pages(files: Path) -> None:
    files.mkdir()
    (files / "faces").mkdir()
    (files / "faces" / f"{'0' * 32}.webp").write_bytes(b"left over, nobody's")
    for key in ("0" * 32, "..", "a.b", "%2e%2e%2fenvironment", "faces", " ", "%00"):
        assert Client().get(f"/pictures/{key}.webp", secure=True).status_code == 404, key


def test_a_file_that_is_gone_is_a_missing_page(ann: User, files: Path) -> None:
    key = faces.set_picture(ann, drawn("PNG"))
    (files / "faces" / f"{key}.webp").unlink()
    assert Client().get(f"/pictures/{key}.webp", secure=True).status_code == 404
    assert faces.remove_picture(ann.pk), "removing goes on without the file"


def test_a_storage_that_takes_nothing_is_told_and_nothing_changes(ann: User, files: Path) -> None:
    files.write_text("a file where the folder should be")
    answer = _uploads(browser(ann), drawn("PNG"))
    assert answer.status_code == 400
    assert b"cannot store pictures just now" in answer.content  # type: ignore[attr-defined]
    assert not PlayerFace.objects.exists()


def test_uploads_are_limited(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "UPLOADS", Rate("face-uploads", 1, 0.001))
    client = browser(ann)
    assert _uploads(client, drawn("PNG")).status_code == 302
    key = PlayerFace.objects.get().picture
    answer = _uploads(client, drawn("PNG"))
    assert answer.status_code == 400
    assert b"uploaded pictures often" in answer.content  # type: ignore[attr-defined]
    assert PlayerFace.objects.get().picture == key


def test_a_flag_is_a_country_of_the_list(ann: User) -> None:
    client = browser(ann)
    assert len(countries("en")) == 249, "ISO 3166-1"
    page = client.get(PAGE, {}, secure=True, headers={"Accept-Language": "de"}).content.decode()
    assert "Österreich" in page
    assert client.post(PAGE, {"step": "flag", "country": "AT"}, secure=True).status_code == 302
    for wrong in ("XX", "EU", "at", "<b>"):
        answer = client.post(PAGE, {"step": "flag", "country": wrong}, secure=True)
        assert answer.status_code == 400
        with pytest.raises(NoSuchCountry):
            faces.set_country(ann, wrong)
    assert PlayerFace.objects.get().country == "AT"
    client.post(PAGE, {"step": "flag", "country": ""}, secure=True)
    assert PlayerFace.objects.get().country == ""


def test_the_faces_of_a_table_are_one_request(ann: User) -> None:
    bob = User.objects.create_user("Bob", password=None)
    bot = User.objects.create_user("Bot", password=None, is_bot=True)
    faces.set_country(ann, "SE")
    key = faces.set_picture(ann, drawn("PNG"))
    users = [ann.pk, bob.pk, bot.pk, 10**9]
    address = f"/players/faces.json?of={','.join(map(str, users))}"
    answer = Client().get(address, secure=True)
    assert answer.json() == {
        "faces": [
            {"user": ann.pk, "picture": key, "country": "SE"},
            {"user": bot.pk, "bot": True},
        ]
    }
    assert answer.headers["Cache-Control"] == "public, max-age=60"
    for wrong in ("", "?of=", "?of=x", "?of=1;2", "?of=-1", f"?of={'9' * 19}"):
        assert Client().get(f"/players/faces.json{wrong}", secure=True).status_code == 404
    many = ",".join(map(str, range(1, 22)))
    assert Client().get(f"/players/faces.json?of={many}", secure=True).status_code == 404


def test_a_moderator_removes_a_picture_with_a_record(ann: User, files: Path) -> None:
    faces.set_picture(ann, drawn("PNG"))
    root = User.objects.create_superuser("Root", password=None)
    given = {"action": "remove_pictures", "_selected_action": [ann.pk]}
    page = "/admin/faces/playerface/"
    clerk = User.objects.create_user("Clerk", password=None, is_staff=True)
    assert browser(clerk).post(page, given, secure=True).status_code == 403
    assert len(_stored(files)) == 1
    assert b"/pictures/" in browser(root).get(page, secure=True).content
    assert browser(root).post(page, given, secure=True).status_code == 302
    assert _stored(files) == [] and faces.faces_of([ann.pk]) == [Face(ann.pk)]
    entry = LogEntry.objects.get()
    assert (entry.user, entry.object_id) == (root, str(ann.pk))


def test_a_face_leaves_with_the_account_and_is_part_of_its_export(ann: User, files: Path) -> None:
    faces.set_country(ann, "SE")
    key = faces.set_picture(ann, drawn("PNG"))
    assert key.encode() in _unpacked(zipped(ann))
    deleting.delete(ann)
    assert not PlayerFace.objects.exists() and _stored(files) == []
    assert Client().get(f"/pictures/{key}.webp", secure=True).status_code == 404


def test_files_are_kept_in_a_bucket_where_the_room_names_one(
    ann: User, files: Path, settings: LazySettings
) -> None:
    with bucket() as held:
        settings.STORAGES = settings.STORAGES | {"default": settings_of(held)}
        key = faces.set_picture(ann, drawn("PNG"))
        assert list(held.objects) == [f"/room/faces/{key}.webp"] and _stored(files) == []
        answer = Client().get(f"/pictures/{key}.webp", secure=True)
        assert answer.content == held.objects[f"/room/faces/{key}.webp"]
        faces.remove_picture(ann.pk)
        assert held.objects == {}
        assert Client().get(f"/pictures/{key}.webp", secure=True).status_code == 404


def test_a_storage_that_does_not_answer_is_away_and_no_fault(
    ann: User, files: Path, settings: LazySettings
) -> None:
    key = faces.set_picture(ann, drawn("PNG"))
    with bucket() as held:
        gone = settings_of(held)
    settings.STORAGES = settings.STORAGES | {"default": gone}
    client = browser(ann)
    client.raise_request_exception = False
    for answer in (
        client.get(f"/pictures/{key}.webp", secure=True),
        client.post("/account/export/", secure=True),
    ):
        assert answer.status_code == 503 and answer["Cache-Control"] == "no-store"
        assert "does not answer at the moment" in answer.content.decode()


def _unpacked(packed: bytes) -> bytes:
    return ZipFile(BytesIO(packed)).read("account.json")
