"""Pages and files of the log: what is signed is served for ever, and nothing beyond it."""

from __future__ import annotations

import json
from base64 import b64encode
from datetime import timedelta

import pytest
from django.conf import settings
from django.test import Client
from redis import Redis

from tables.fairlog import addresses, files, proofs, storage
from tables.fairlog.models import LogDay, LogLeaf
from tables.fairness import tree
from tables.fairness.encoding import HASH_SIZE
from tables.fairness.leaves import Fate, FateReason
from tables.fairness.signing import public_key_of
from tables.fairness.tiles import split_hashes
from tables.models import Hand, SealedDeck, Table
from tables.workers import recovery, sealing
from tests.tables import playing
from tests.tables.called_hand import own_key
from tests.tables.fairlog.log_scene import close_undealt, keep_all, leaves, play, read_head
from tests.tables.fairness import log_reader
from tests.tables.fairness.known_answers import vectors
from tests.tables.fairness.verifier import failures
from tests.tables.history.downloading import proof_of

__all__ = ["own_key"]

pytestmark = pytest.mark.django_db(transaction=True)
FOREVER = "public, max-age=31536000, immutable"


@pytest.fixture
def table(room: Redis) -> Table:
    """A table with two settled hands, all logged."""
    made = play(room, 2)
    keep_all()
    return made


def test_head_tiles_and_entries_are_those_of_the_log(room: Redis, table: Table) -> None:
    client = Client()
    head = client.get("/fair/checkpoint")
    day = LogDay.objects.get()
    assert head.content.decode() == day.note and head["Cache-Control"] == "public, max-age=1"
    assert client.get(f"/fair/days/{day.day}").content == head.content
    tile = client.get("/fair/tile/0/000.p/7")
    assert tile["Cache-Control"] == FOREVER and tile["Content-Type"] == "application/octet-stream"
    assert tree.root_of(split_hashes(tile.content)) == read_head().root
    assert client.get("/fair/tile/0/000.p/3").content == tile.content[: 3 * HASH_SIZE]
    bundle = client.get("/fair/tile/entries/000.p/7").content
    assert bundle == b"".join(len(leaf).to_bytes(2, "big") + leaf for leaf in leaves())
    leaf = client.get("/fair/leaves/2").json()
    path = [bytes.fromhex(node) for node in leaf["path"]]
    hashed = tree.leaf_hash(bytes.fromhex(leaf["leaf"]))
    assert log_reader.root_from_path(2, 7, hashed, path) == read_head().root
    found = client.get("/fair/consistency/3/7").json()["path"]
    old = tree.root_of([tree.leaf_hash(one) for one in leaves()[:3]])
    nodes = [bytes.fromhex(node) for node in found]
    assert log_reader.is_consistent(3, old, 7, read_head().root, nodes)


def test_the_path_of_a_leaf_leads_to_the_head_beside_it(
    room: Redis, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A keeper may sign the next head while the answer is made."""
    read, before = storage.head, read_head()

    def head_before_the_next() -> storage.SignedHead | None:
        found = read()
        if storage.size() == before.size:
            sealing.end([table.pk], FateReason.CLOSED)
            keep_all()
        return found

    with monkeypatch.context() as patch:
        patch.setattr(storage, "head", head_before_the_next)
        leaf = Client().get("/fair/leaves/2").json()
    assert read_head().size > before.size and str(before.size) in leaf["checkpoint"].split("\n")
    path = [bytes.fromhex(node) for node in leaf["path"]]
    hashed = tree.leaf_hash(bytes.fromhex(leaf["leaf"]))
    assert log_reader.root_from_path(2, before.size, hashed, path) == before.root


BEYOND = (
    *("tile/0/000", "tile/0/000.p/8", "tile/0/000.p/0", "tile/0/000.p/256", "tile/1/000.p/1"),
    *("tile/0/001.p/1", "tile/0/x001/000.p/1", "tile/0/x000/000.p/7", "tile/8/000.p/1"),
    *("tile/entries/000", "tile/entries/000.p/8", "tile/entries/001.p/1", "tile/0/000.p/07"),
    *("leaves/7", "leaves/999999999999999999", "leaves/-1", "consistency/3/8"),
    *("consistency/0/7", "consistency/7/3", "days/2026-02-30", "days/2001-01-01"),
)


def test_a_request_beyond_the_end_is_refused(room: Redis, table: Table) -> None:
    assert [way for way in BEYOND if Client().get(f"/fair/{way}").status_code != 404] == []


def test_unsigned_leaves_are_not_served(room: Redis) -> None:
    play(room, 1)
    client = Client()
    for address in ("checkpoint", "tile/0/000.p/1", "leaves/0", "consistency/1/1"):
        assert client.get(f"/fair/{address}").status_code == 404
    assert client.get("/fair/").status_code == 200
    assert client.post("/fair/checkpoint").status_code == 405


def test_numbers_of_tiles_are_written_in_groups() -> None:
    number = addresses.TileNumber()
    for value, text in ((0, "000"), (67, "067"), (1_234_067, "x001/x234/067"), (1_000, "x001/000")):
        assert number.to_url(value) == text and number.to_python(text) == value
    with pytest.raises(ValueError, match="shortest"):
        number.to_python("x000/067")


def test_proofs_of_real_hands_hold_with_the_log(room: Redis, table: Table) -> None:
    log_key, call_key = (bytes.fromhex(proofs.public_keys()[name][0]) for name in ("log", "call"))
    assert call_key == public_key_of(sealing.call_key())
    for number in (1, 2):
        proof = proof_of(table, number, Client())
        assert failures(proof, log_key, call_key) == set()
        assert failures(proof, call_key, call_key) == {"V13", "V14", "V15"}
    older = storage.head().note  # type: ignore[union-attr]
    while Hand.objects.count() < 3:
        playing.step_on(room, table.pk)
    assert proof_of(table, 3, Client())["log"] is None, "it is not logged yet"
    keep_all()
    proof = proof_of(table, 3, Client())
    path = Client().get("/fair/consistency/7/9").json()["path"]
    proof["log"] |= {"older": {"checkpoint": older, "path": path}}  # type: ignore[operator]
    assert failures(proof, log_key, call_key) == set()
    proof["log"]["older"]["path"] = path[1:]  # type: ignore[index]
    assert failures(proof, log_key, call_key) == {"V15"}


def test_the_page_tells_head_keys_counts_and_the_fates_of_a_hand(room: Redis, table: Table) -> None:
    playing.run(room, table.pk)
    assert recovery.rebuild(room, table.pk, seen_epoch=1, reason=FateReason.REDIS_ADOPTED)
    playing.run(room, table.pk)
    keep_all()
    page = Client().get("/fair/").content.decode()
    keys = proofs.public_keys()
    assert Client().get("/fair/keys").json() == keys
    for told in (keys["log"][0], keys["call"][0], read_head().root.hex(), settings.FAIR_ORIGIN):
        assert told in page
    found = Client().get(f"/fair/?table={table.pk}&hand=3").content.decode()
    for deck in SealedDeck.objects.filter(hand=3):
        assert bytes(deck.seal).hex() in found
    assert "void in play" in found and "The memory of the tables was lost." in found
    place = LogLeaf.objects.get(deck__hand=1, kind=2).index
    assert (
        f"/fair/leaves/{place}" in Client().get(f"/fair/?table={table.pk}&hand=1").content.decode()
    )
    for wrong in (
        "table=x&hand=1",
        "table=0&hand=1",
        f"table={table.pk}&hand=99999999999",
        "table=1",
    ):
        answer = Client().get(f"/fair/?{wrong}")
        assert answer.status_code == 200 and b'id="found"' not in answer.content
    german = Client().get("/fair/", headers={"Accept-Language": "de"}).content.decode()
    assert "Faires Geben" in german


def test_a_deck_that_was_never_dealt_is_opened_whole(room: Redis, table: Table) -> None:
    close_undealt(room, table)
    keys = [bytes.fromhex(proofs.public_keys()[name][0]) for name in ("log", "call")]
    decks = {deck.pk: deck.fate for deck in SealedDeck.objects.all()}
    opened = [pk for pk in decks if Client().get(f"/fair/decks/{pk}/proof.json").status_code == 200]
    assert {decks[pk] for pk in opened} <= {Fate.UNPLAYED}
    for pk in opened:
        proof = Client().get(f"/fair/decks/{pk}/proof.json").json()
        assert failures(proof, keys[0], keys[1]) == set()
    assert opened, "the last deck of the table"


def test_the_days_of_the_log_are_listed_with_heads_and_counts(
    room: Redis, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    today = LogDay.objects.get()
    LogDay.objects.create(day=today.day - timedelta(days=1), silent=3)
    LogDay.objects.create(day=today.day - timedelta(days=2), size=1, note="n", root=bytes(32))
    found = Client().get("/fair/days/")
    assert found["Cache-Control"] == "public, max-age=1" and found.json()["before"] is None
    last, quiet, first = found.json()["days"]
    assert last["day"] == today.day.isoformat() and last["checkpoint"] == today.note
    assert (last["size"], last["played"], last["void"], last["unplayed"]) == (7, 2, 0, 0)
    cuts = {name: last[name] for name in storage.COUNTS if getattr(today, name)}
    assert cuts == {name: getattr(today, name) for name in cuts} and len(cuts) > 1
    assert (quiet["size"], quiet["checkpoint"], quiet["silent"]) == (0, None, 3)
    monkeypatch.setattr(files, "DAYS_AT_ONCE_MAX", 2)
    page = Client().get("/fair/days/").json()
    assert page == {"days": [last, quiet], "before": quiet["day"]}
    rest = Client().get(f"/fair/days/?before={page['before']}").json()
    assert rest == {"days": [first], "before": None}
    for wrong in ("x", "2026-02-30", "", "99999-01-01"):
        assert Client().get(f"/fair/days/?before={wrong}").status_code == 404


def test_the_known_answers_are_served_as_they_are() -> None:
    answer = Client().get("/fair/vectors.json")
    assert answer["Content-Type"] == "application/json"
    assert json.loads(answer.getvalue()) == vectors()
    assert b"vectors.json" in Client().get("/fair/").content


def test_a_head_is_a_checkpoint_that_other_tools_read(room: Redis, table: Table) -> None:
    note = Client().get("/fair/checkpoint").content.decode()
    origin, size, root, gap, signature, end = note.split("\n")
    assert (origin, size, gap, end) == (settings.FAIR_ORIGIN, "7", "", "")
    assert root == b64encode(read_head().root).decode()
    assert signature.startswith(f"\N{EM DASH} {origin} ")
