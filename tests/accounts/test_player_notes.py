"""Private notes on players: written, changed and deleted by their owner, seen by nobody else."""

from __future__ import annotations

import json
import zipfile
from io import BytesIO
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client
from redis import Redis

from accounts.deletion import deleting
from accounts.models import User
from accounts.player_notes import notes
from accounts.player_notes.models import PlayerNote
from accounts.player_notes.refusals import NoNoteOnSelf, TooManyNotes
from accounts.users.account_export import zipped
from config import limits
from config.door.rates import Rate
from tables.statistics import sharing
from tests.accounts.browsers import browser

pytestmark = pytest.mark.django_db

ALL = "/account/notes.json"


@pytest.fixture
def ann(room: Redis) -> User:
    return User.objects.create_user("Ann", password=None)


@pytest.fixture
def bob() -> User:
    return User.objects.create_user("Bob", password=None)


def _page(about: User, page: str = "note/") -> str:
    return f"/players/{about.pk}/{page}?name={about.name}"


def _write(client: Client, about: User, **given: str) -> tuple[int, dict[str, Any]]:
    answer = client.post(_page(about, "note.json"), given, secure=True)
    return answer.status_code, json.loads(answer.content)


def _rows() -> list[tuple[str, str, str]]:
    return list(PlayerNote.objects.values_list("about__name", "text", "colour"))


def test_a_note_is_written_replaced_and_deleted_when_empty(ann: User, bob: User) -> None:
    client = browser(ann)
    told = {"user": bob.pk, "text": "calls <b>wide</b>", "colour": "red"}
    assert _write(client, bob, text="calls <b>wide</b>  ", colour="red") == (200, told)
    assert client.get(ALL, secure=True).json() == {"notes": [told]}
    page = client.get("/account/notes/", secure=True).content.decode()
    assert "calls &lt;b&gt;wide&lt;/b&gt;" in page and 'data-colour="red"' in page
    _write(client, bob, text="", colour="blue")
    assert _rows() == [("Bob", "", "blue")]
    assert _write(client, bob, text=" \n", colour="")[1]["text"] == ""
    assert _rows() == []


def test_the_form_works_without_scripts(ann: User, bob: User) -> None:
    client, page = browser(ann), _page(bob)
    answer = client.post(page, {"text": "folds", "colour": ""}, secure=True)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/account/notes/")
    assert "folds" in client.get(page, secure=True).content.decode()
    refused = client.post(page, {"text": "x\u202ey", "colour": ""}, secure=True)
    assert refused.status_code == 400 and "cannot be shown here" in refused.content.decode()
    assert _rows() == [("Bob", "folds", "")]


def test_nobody_else_reads_a_note(ann: User, bob: User) -> None:
    notes.write_note(ann, bob, text="my secret", colour="green")
    for reader in (browser(bob), browser(User.objects.create_superuser("Root", password=None))):
        assert reader.get(ALL, secure=True).json() == {"notes": []}
        for page in ("/account/notes/", _page(bob), f"/players/{bob.pk}/"):
            assert "my secret" not in reader.get(page, secure=True, follow=True).content.decode()
    for page in (ALL, "/account/notes/", f"/players/{bob.pk}/note/"):
        assert Client().get(page, secure=True).status_code == 302, "asks for a log-in"


def test_the_page_of_a_player_shows_the_own_note(ann: User, bob: User) -> None:
    sharing.set_public(bob, public=True)
    notes.write_note(ann, bob, text="raises light", colour="")
    page = f"/players/{bob.pk}/"
    shown = browser(ann).get(page, secure=True).content.decode()
    assert "raises light" in shown and f'href="{_page(bob)}"' in shown
    assert "raises light" not in Client().get(page, secure=True).content.decode()


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"text": "x" * 501, "colour": ""}, "note_too_long"),
        ({"text": "x" * 100_000, "colour": ""}, "note_too_long"),
        ({"text": "a\x00b", "colour": ""}, "note_unreadable"),
        ({"text": "a\u202eb", "colour": ""}, "note_unreadable"),
        ({"text": "z\u0300\u0301\u0302\u0303", "colour": ""}, "note_unreadable"),
        ({"text": "x", "colour": "pink"}, "note_colour"),
    ],
)
def test_bad_notes_are_refused_and_the_former_one_stays(
    ann: User, bob: User, given: dict[str, str], code: str
) -> None:
    notes.write_note(ann, bob, text="before", colour="red")
    status, answer = _write(browser(ann), bob, **given)
    assert (status, answer["code"]) == (400, code) and answer["message"]
    assert _rows() == [("Bob", "before", "red")]


def test_a_note_is_about_another_active_player(ann: User, bob: User) -> None:
    client = browser(ann)
    for number in (ann.pk, 10**9):
        given = {"text": "me", "colour": ""}
        answer = client.post(f"/players/{number}/note/", given, secure=True)
        assert answer.status_code == 404
    with pytest.raises(NoNoteOnSelf):
        notes.write_note(ann, ann, text="me", colour="")
    assert _rows() == []


def test_numbers_tell_no_names(ann: User, bob: User) -> None:
    client = browser(ann)
    for name in ("", "Cid", "bo\x00b"):
        for page in ("note/", "note.json"):
            for number in (bob.pk, 10**9):
                address = f"/players/{number}/{page}?{urlencode({'name': name})}"
                answer = client.post(address, {"text": "who?"}, secure=True)
                assert answer.status_code == 404, (address, name)
    assert client.get(f"/players/{bob.pk}/note/", secure=True).status_code == 404
    assert "Bob" in client.get(_page(bob), secure=True).content.decode()
    assert _rows() == []


def test_a_note_on_a_banned_player_is_still_the_owners(ann: User, bob: User) -> None:
    client, page = browser(ann), f"/players/{bob.pk}/note/"
    _write(client, bob, text="folds", colour="")
    User.objects.filter(pk=bob.pk).update(is_active=False)
    assert page in client.get("/account/notes/", secure=True).content.decode()
    assert "folds" in client.get(page, secure=True).content.decode()
    client.post(page, {"text": "", "colour": ""}, secure=True)
    assert _rows() == []
    assert client.get(page, secure=True).status_code == 404


def test_notes_are_limited_in_number_and_in_time(
    ann: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "NOTES_MAX", 1)
    monkeypatch.setattr(notes, "WRITTEN", Rate("player-notes", 3, 0.001))
    notes.write_note(ann, bob, text="one", colour="")
    with pytest.raises(TooManyNotes):
        notes.write_note(ann, User.objects.create_user("Cid"), text="two", colour="")
    notes.write_note(ann, bob, text="changed", colour="")
    status, answer = _write(browser(ann), bob, text="again", colour="")
    assert (status, answer["code"]) == (400, "notes_too_fast")
    assert _rows() == [("Bob", "changed", "")]


def test_notes_leave_with_the_account_and_are_part_of_its_export(ann: User, bob: User) -> None:
    notes.write_note(ann, bob, text="on Bob", colour="red")
    notes.write_note(bob, ann, text="on Ann", colour="")
    held = json.loads(zipfile.ZipFile(BytesIO(zipped(ann))).read("account.json"))
    [row] = held["player_notes"]
    assert (row["about__name"], row["text"], row["colour"]) == ("Bob", "on Bob", "red")
    assert "on Ann" not in json.dumps(held)
    deleting.delete(ann)
    assert _rows() == [], "notes of others on a deleted account go, too"
