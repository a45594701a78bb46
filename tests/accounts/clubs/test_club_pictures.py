"""Pictures of clubs: managers change them, visitors of the club see them, files leave with them."""

from __future__ import annotations

from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.utils import timezone
from PIL import Image
from redis import Redis

from accounts.clubs import pictures
from accounts.clubs.refusals import NotForRole
from accounts.models import Club, ClubAuditRow, ClubRole, User
from accounts.stored_files import orphans
from accounts.stored_files import pictures as stored_pictures
from config.door.rates import Rate
from tests.accounts.browsers import browser
from tests.accounts.clubs.cast import club_of, join, person
from tests.accounts.s3_receiver import bucket, settings_of
from tests.config.files.drawn_pictures import SVG, drawn, png_bomb

pytestmark = pytest.mark.django_db(transaction=True)

PAGE = "/clubs/river-rats/picture/"


@pytest.fixture
def files(tmp_path: Path, settings: LazySettings, room: Redis) -> Path:
    """The folder of files, empty."""
    settings.MEDIA_ROOT = str(tmp_path / "files")
    return tmp_path / "files"


@pytest.fixture
def anna(files: Path) -> User:
    return person("anna")


@pytest.fixture
def club(anna: User) -> Club:
    return club_of(anna)


def upload(web: Client, picture: bytes, page: str = PAGE, **more: str) -> Any:
    """Send the form; name and type of a file are what its sender likes."""
    given = SimpleUploadedFile("x.html", picture, content_type="text/html")
    return web.post(page, {"picture": given, **more})


def stored(files: Path) -> list[str]:
    return sorted(path.name for path in files.rglob("*") if path.is_file())


def facts(files: Path) -> tuple[object, ...]:
    """Every value that an upload could change."""
    return list(Club.objects.order_by("pk").values()), ClubAuditRow.objects.count(), stored(files)


def address_of(club: Club) -> str:
    club.refresh_from_db()
    assert club.picture
    return f"/clubs/{club.slug}/pictures/{club.picture}.webp"


def test_a_picture_is_encoded_anew_and_shown_wherever_the_club_is(club: Club, anna: User) -> None:
    web = browser(anna)
    original = drawn("JPEG", (900, 600))
    assert upload(web, original)["Location"] == "/clubs/river-rats/"
    address = address_of(club)
    answer = Client().get(address)
    assert answer.headers["Content-Type"] == "image/webp"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.content != original
    shown = Image.open(BytesIO(answer.content))
    assert (shown.format, shown.size) == ("WEBP", (256, 256))
    for page in ("/clubs/", "/clubs/river-rats/", "/clubs/river-rats/members/", PAGE):
        assert f'src="{address}"' in web.get(page).content.decode(), page


def test_a_new_picture_takes_the_place_of_the_former_one_and_a_removed_one_is_gone(
    club: Club, anna: User, files: Path
) -> None:
    web = browser(anna)
    upload(web, drawn("PNG"))
    first = address_of(club)
    upload(web, drawn("WEBP"))
    second = address_of(club)
    assert first != second and stored(files) == [second.rpartition("/")[2]]
    assert Client().get(first).status_code == 404
    for _twice in range(2):
        assert web.post(PAGE, {"step": "remove"})["Location"] == PAGE
    assert stored(files) == [] and Client().get(second).status_code == 404
    assert '<svg class="crest"' in web.get("/clubs/river-rats/").content.decode()
    actions = ClubAuditRow.objects.filter(action__startswith="picture").order_by("pk")
    assert [(row.action, row.actor) for row in actions] == [
        ("picture", anna),
        ("picture", anna),
        ("picture_removed", anna),
    ]


REFUSED = {
    "scripted SVG": (SVG, "This file is not a readable picture. Accepted: PNG, JPEG, WebP."),
    "GIF": (drawn("GIF"), "This file is not a readable picture."),
    "page": (b"<html><script>1</script>", "This file is not a readable picture."),
    "cut off": (drawn("PNG")[:60], "This file is not a readable picture."),
    "empty": (b"", "The submitted file is empty."),
    "bomb": (png_bomb(50_000, 50_000), "A picture has at most 16 million pixels."),
    "heavy": (drawn("PNG") + bytes(1_000_000), "A picture has at most 1000 kB."),
}


def test_a_refused_file_changes_nothing(club: Club, anna: User, files: Path) -> None:
    web = browser(anna)
    upload(web, drawn("PNG"))
    before = facts(files)
    for kind, (picture, sentence) in REFUSED.items():
        answer = upload(web, picture)
        assert answer.status_code == 400 and sentence in answer.content.decode(), kind
        assert facts(files) == before, kind
    assert web.post(PAGE, {}).status_code == 400, "a form without a file"
    assert facts(files) == before


def test_only_managers_of_the_club_change_its_picture(club: Club, anna: User, files: Path) -> None:
    upload(browser(anna), drawn("PNG"))
    other = person("other")
    club_of(other, "Turn Toads")
    everybody = {
        "nobody": None,
        "outsider": person("stan"),
        "manager of another": other,
        "member": join(club, anna, "bert"),
    }
    before = facts(files)
    for kind, user in everybody.items():
        web = browser(user)
        expected = 302 if user is None else 404
        assert web.get(PAGE).status_code == expected, kind
        assert upload(web, drawn("PNG")).status_code == expected, kind
        assert web.post(PAGE, {"step": "remove"}).status_code == expected, kind
        if user is not None:
            with pytest.raises(NotForRole):
                pictures.set_picture(club, user, drawn("PNG"))
            with pytest.raises(NotForRole):
                pictures.remove_picture(club, user)
        assert facts(files) == before, kind
    cleo = join(club, anna, "cleo", ClubRole.MANAGER)
    assert upload(browser(cleo), drawn("WEBP")).status_code == 302
    assert facts(files) != before


def test_the_picture_is_seen_by_those_who_see_the_club(club: Club, anna: User) -> None:
    upload(browser(anna), drawn("PNG"))
    address = address_of(club)
    for user in (None, person("stan"), join(club, anna, "bert"), anna):
        web = browser(user)
        page = web.get("/clubs/river-rats/").status_code
        assert web.get(address).status_code == page == 200


def test_another_clubs_key_and_files_that_no_club_names_are_missing(
    club: Club, anna: User, files: Path
) -> None:
    upload(browser(anna), drawn("PNG"))
    key = address_of(club).rpartition("/")[2]
    club_of(anna, "Turn Toads")
    (files / "clubs" / f"{'0' * 32}.webp").write_bytes(b"left over, nobody's")
    for wrong in (
        f"/clubs/turn-toads/pictures/{key}",
        f"/clubs/nothing/pictures/{key}",
        f"/pictures/{key}",
        f"/clubs/river-rats/pictures/{'0' * 32}.webp",
        "/clubs/river-rats/pictures/%2e%2e.webp",
        "/clubs/river-rats/pictures/%20.webp",
        "/clubs/river-rats/pictures/%00.webp",
    ):
        assert Client().get(wrong).status_code == 404, wrong


def test_a_storage_that_fails_is_told_and_nothing_changes(
    club: Club, anna: User, files: Path
) -> None:
    files.write_text("a file where the folder should be")
    before = list(Club.objects.values())
    answer = upload(browser(anna), drawn("PNG"))
    assert answer.status_code == 400
    assert "The room cannot store pictures just now; try again later." in answer.content.decode()
    assert list(Club.objects.values()) == before


def test_uploads_are_limited(
    club: Club, anna: User, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_pictures, "UPLOADS", Rate("face-uploads", 1, 0.001))
    web = browser(anna)
    upload(web, drawn("PNG"))
    before = facts(files)
    answer = upload(web, drawn("PNG"))
    assert answer.status_code == 400 and "uploaded pictures often" in answer.content.decode()
    assert facts(files) == before


def test_a_manager_who_lost_the_role_meanwhile_stores_nothing(
    club: Club, anna: User, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cleo = join(club, anna, "cleo", ClubRole.MANAGER)
    before = facts(files)
    monkeypatch.setattr(pictures, "may_manage", lambda _role: True)
    club.memberships.filter(user=cleo).update(role=ClubRole.MEMBER)
    with pytest.raises(NotForRole):
        pictures.set_picture(club, cleo, drawn("PNG"))
    assert facts(files) == before, "the file that was stored before the row is gone again"


def test_the_file_of_a_club_that_is_gone_is_an_orphan(club: Club, anna: User, files: Path) -> None:
    key = pictures.set_picture(club, anna, drawn("PNG"))
    tomorrow = timezone.now() + timedelta(days=2)
    assert orphans.remove_orphans(tomorrow) == []
    # No step of the room deletes a club; an operator of the database can empty its row.
    with connection.cursor() as cursor:
        cursor.execute("UPDATE accounts_club SET picture = '' WHERE id = %s", [club.pk])
    assert orphans.remove_orphans(tomorrow) == [f"clubs/{key}.webp"]
    assert stored(files) == []


def test_a_bucket_holds_pictures_as_a_folder_does(
    club: Club, anna: User, settings: LazySettings
) -> None:
    with bucket() as held:
        settings.STORAGES = settings.STORAGES | {"default": settings_of(held)}
        web = browser(anna)
        upload(web, drawn("PNG"))
        address = address_of(club)
        assert Client().get(address).status_code == 200
        web.post(PAGE, {"step": "remove"})
        assert Client().get(address).status_code == 404


def test_the_page_speaks_german(club: Club, anna: User) -> None:
    page = browser(anna).get(PAGE, headers={"Accept-Language": "de"}).content.decode()
    assert "Bild des Clubs" in page and "Bild hochladen" in page
