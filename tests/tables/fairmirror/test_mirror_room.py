"""The log of a real room, kept in PostgreSQL and served by its web process, as a mirror sees it."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from redis import Redis

from tables.fairlog import proofs
from tables.fairlog.models import LogLeaf, LogTile
from tables.fairness.leaves import FateReason
from tables.models import Hand, SealedDeck, Table
from tables.workers import recovery, sealing
from tests.tables import playing
from tests.tables.fairlog.log_scene import close_undealt, keep_all, play
from tests.tables.fairmirror.served_log import SCRIPT, MirrorRun, mirror
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import Site

__all__ = ["site"]

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(room: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A table with two settled hands and a void one, all logged."""
    monkeypatch.setenv("LOG_KEY_FILE", str(tmp_path / "log_key"))
    made = play(room, 2)
    playing.run(room, made.pk)
    assert recovery.rebuild(room, made.pk, seen_epoch=1, reason=FateReason.REDIS_ADOPTED)
    _settle(room, made, 3)
    keep_all()
    return made


def _settle(room: Redis, table: Table, hands: int) -> None:
    while Hand.objects.filter(table=table).count() < hands:
        playing.step_on(room, table.pk)


def _mirror(site: Site, kept: Path) -> MirrorRun:
    return mirror(f"http://127.0.0.1:{site.port}", kept, proofs.public_keys()["log"][0])


def _rewrite(statement: str, *given: bytes) -> None:
    """Run a statement as an owner of the database who drops its triggers."""
    with connection.cursor() as cursor:
        for name in ("fairlog_logleaf", "fairlog_logtile"):
            cursor.execute(f"ALTER TABLE {name} DISABLE TRIGGER USER")
        cursor.execute(statement, given)
        assert cursor.rowcount == 1
        for name in ("fairlog_logleaf", "fairlog_logtile"):
            cursor.execute(f"ALTER TABLE {name} ENABLE TRIGGER USER")


def test_a_room_that_plays_voids_and_closes_keeps_every_law(
    room: Redis, site: Site, table: Table, tmp_path: Path
) -> None:
    kept = tmp_path / "kept"
    run = _mirror(site, kept)
    assert run.status == 0, run.text
    assert "3 played (75.00%), 1 void in play (25.00%)" in run.text
    assert "void in play, Redis was new: 1" in run.text
    assert f"(table {table.pk}, epoch 2, hand 4)" in run.text
    _settle(room, table, 4)
    close_undealt(room, table)
    run = _mirror(site, kept)
    assert run.status == 0, run.text
    assert "wait for their fate" not in run.text and " 1 opened, " in run.text, run.text
    place = LogLeaf.objects.filter(kind=2, deck__opened__isnull=False).values_list("index").get()
    opened = Client().get("/fair/opened/000")
    assert [deck["index"] for deck in opened.json()["decks"]] == [*place]
    assert opened["Cache-Control"] == "public, max-age=1"
    assert Client().get("/fair/opened/001").status_code == 404


DAMAGES = (
    ("UPDATE fairlog_logtile SET hashes = %s", "hash 2 of tile/0/000.p/11 is not that of the"),
    ("UPDATE fairlog_logleaf SET leaf = %s WHERE index = 3", "hash 3 of tile/0/000.p/11 is not"),
)


def test_a_log_that_was_changed_in_the_database_is_found(
    site: Site, table: Table, tmp_path: Path
) -> None:
    kept, tile, leaf = tmp_path / "kept", LogTile.objects.get(), LogLeaf.objects.get(index=3)
    for (statement, sentence), stored in zip(DAMAGES, (tile.hashes, leaf.leaf), strict=True):
        whole = bytes(stored or b"")
        _rewrite(statement, whole[:70] + bytes([whole[70] ^ 1]) + whole[71:])
        run = _mirror(site, kept)
        assert run.status == 1 and run.failed == {"L03"} and sentence in run.text, run.text
        _rewrite(statement, whole)
    _rewrite("DELETE FROM fairlog_logleaf WHERE index = 3")
    run = _mirror(site, kept)
    assert run.failed == {"L03"} and "holds 10 leaves, and the head covers 11" in run.text


def test_an_opened_deck_with_another_secret_is_found(
    room: Redis, site: Site, table: Table, tmp_path: Path
) -> None:
    Table.objects.filter(pk=table.pk).update(granted_hand=3)
    sealing.end([table.pk], FateReason.CLOSED)
    keep_all()
    kept = tmp_path / "kept"
    assert "0 opened, 1 not opened" in _mirror(site, kept).text
    deck = SealedDeck.objects.get(fate=4)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO fairlog_openeddeck (deck_id, secret) VALUES (%s, %s)", [deck.pk, bytes(32)]
        )
    run = _mirror(site, kept)
    assert run.failed == {"L09"} and f"epoch {deck.epoch}, hand {deck.hand}" in run.text


def test_the_script_is_served_as_it_is() -> None:
    answer = Client().get("/fair/verify_log.py")
    assert b"".join(answer) == SCRIPT.read_bytes()
    assert "verify_log.py" in answer["Content-Disposition"]


def test_the_page_of_the_log_names_the_script_in_both_languages() -> None:
    for language, sentence in (("en", "run it again every day"), ("de", "jeden Tag neu")):
        page = Client().get("/fair/", headers={"Accept-Language": language}).content.decode()
        assert f"python verify_log.py {settings.PUBLIC_URL} --log-key" in page
        assert "/fair/verify_log.py" in page and sentence in page
