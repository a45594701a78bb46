"""The keeper of the log: every seal and fate once, in order, under heads that only grow."""

from __future__ import annotations

from contextlib import closing
from io import StringIO

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import DatabaseError, IntegrityError, connection, transaction
from redis import Redis

from config import environment
from tables.fairlog import audit, keeper, keeping, log_keys, storage
from tables.fairlog.keeper import Keeper
from tables.fairlog.keeping import AGAIN_S, LOOK_S, KeeperThread
from tables.fairlog.log_keys import RetiredKey
from tables.fairlog.models import LogDay, LogLeaf, LogTile
from tables.fairlog.storage import LogDamaged
from tables.fairness import tree
from tables.fairness.encoding import hand_id
from tables.fairness.leaves import Fate, FateReason, LeafKind, genesis_leaf, seal_leaf
from tables.fairness.notes import open_head
from tables.fairness.signing import public_key_of
from tables.fairness.tiles import extended, range_root
from tables.models import Hand, SealedDeck, Table
from tables.records import stored
from tables.workers import recovery, sealing
from tests.tables import playing
from tests.tables.called_hand import own_key
from tests.tables.fairlog.log_scene import keep_all, leaves, play, read_head
from tests.tables.fairness import log_reader

__all__ = ["own_key"]

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(room: Redis) -> Table:
    """A table of three with two settled hands, in its third."""
    return play(room, 2)


def test_seals_and_fates_are_logged_once_under_a_signed_head(room: Redis, table: Table) -> None:
    assert keep_all() == 7, "genesis, keys, three seals and two fates"
    kinds = [LeafKind(leaf[1]) for leaf in leaves()]
    assert kinds[:3] == [LeafKind.GENESIS, LeafKind.KEYS, LeafKind.SEAL]
    assert sorted(kinds[3:]) == [LeafKind.SEAL, LeafKind.SEAL, LeafKind.FATE, LeafKind.FATE]
    head = read_head()
    hashes = [tree.leaf_hash(leaf) for leaf in leaves()]
    assert (head.size, head.root) == (7, tree.root_of(hashes))
    deck = SealedDeck.objects.get(hand=1)
    name = hand_id(sealing.room(), table=table.pk, epoch=1, hand=1)
    seal = bytes(deck.seal)
    assert leaves()[2] == seal_leaf(name, seal, sealed_ms=deck.sealed_ms, escrow_hash=None)
    kept = stored.decode(bytes(Hand.objects.get(number=1).record))
    assert kept.called is not None and kept.called.sealed.hand_id == name
    assert keep_all() == 7, "a second keeper appends nothing"
    assert [*audit.violations()] == []
    assert LogDay.objects.get().played == 2 and LogDay.objects.get().unpledged == 6


def test_heads_are_consistent_and_a_void_hand_is_logged_with_its_reason(
    room: Redis, table: Table
) -> None:
    keep_all()
    older = read_head()
    playing.run(room, table.pk)
    assert recovery.rebuild(room, table.pk, seen_epoch=1, reason=FateReason.REDIS_ADOPTED)
    playing.run(room, table.pk)
    keep_all()
    head = read_head()
    assert head.size == older.size + 2
    path = tree.consistency_in(older.size, head.size, range_root(storage.reader))
    assert log_reader.is_consistent(older.size, older.root, head.size, head.root, path)
    void = leaves()[older.size]
    assert (void[1], void[70], void[71]) == (LeafKind.FATE, Fate.VOID_IN_PLAY, 1)
    assert void[-64:] == bytes(64), "the course of a void hand is not known any more"
    assert leaves()[-1][1] == LeafKind.SEAL, "the deck of the next epoch"


def test_the_log_begins_over_all_older_hands(room: Redis, table: Table) -> None:
    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE fairlog_logleaf")
    digests = Hand.objects.order_by("table", "number").values_list("digest", flat=True)
    hashes = [tree.leaf_hash(bytes.fromhex(one)) for one in digests]
    assert keep_all() == 2
    created_ms = int.from_bytes(leaves()[0][-8:], "big")
    older = genesis_leaf(hands=2, root=tree.root_of(hashes), created_ms=created_ms)
    assert leaves()[0] == older


def test_only_the_elected_process_keeps_the_log(room: Redis, table: Table) -> None:
    other = connection.copy()
    with closing(other), other.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s, %s)", keeper.LOCK)
        assert Keeper().take_turn() == 0 and storage.size() == 0
        cursor.execute("SELECT pg_advisory_unlock(%s, %s)", keeper.LOCK)
    assert keep_all() == 7


def test_a_leaf_is_logged_at_the_second_look_that_finds_it_waiting(
    room: Redis, table: Table
) -> None:
    """Two workers look in turns: what is new to one look waits for the next one."""
    threads = KeeperThread(), KeeperThread()
    assert [thread.turn() for thread in threads] == [LOOK_S] * 2 and storage.size() == 7
    while Hand.objects.filter(table=table).count() < 3:
        playing.step_on(room, table.pk)
    sizes = []
    for thread in (*threads, *threads):
        assert thread.turn() == LOOK_S
        sizes.append((storage.size(), read_head().size))
    assert sizes == [(7, 7), (7, 7), (9, 9), (9, 9)]


def test_leaves_that_a_dead_keeper_did_not_sign_are_signed_by_another(
    room: Redis, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread = KeeperThread()
    thread.turn()
    while Hand.objects.filter(table=table).count() < 3:
        playing.step_on(room, table.pk)
    with monkeypatch.context() as patch:
        patch.setattr(keeper, "_sign", lambda *_: None)
        Keeper().take_turn()
    assert (storage.size(), read_head().size) == (9, 7)
    thread.turn()
    assert read_head().size == 7, "its keeper may be about to sign"
    thread.turn()
    assert read_head().size == 9


def test_a_full_turn_is_followed_by_the_next_one_at_once(
    room: Redis, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeper, "LEAVES_AT_ONCE_MAX", 3)
    monkeypatch.setattr(keeping, "LEAVES_AT_ONCE_MAX", 3)
    thread = KeeperThread()
    assert [thread.turn() for _ in range(2)] == [0.0, LOOK_S]
    assert storage.size() == 7


def test_a_keeper_that_cannot_write_changes_nothing_and_goes_on(room: Redis, table: Table) -> None:
    keep_all()
    while Hand.objects.filter(table=table).count() < 3:
        playing.step_on(room, table.pk)
    thread, before = KeeperThread(), (storage.size(), read_head())
    with connection.cursor() as cursor:
        cursor.execute("SET default_transaction_read_only = on")
    with pytest.raises(DatabaseError, match="read-only"):
        Keeper().take_turn()
    assert (storage.size(), read_head()) == before
    with connection.cursor() as cursor:
        cursor.execute("SET default_transaction_read_only = off")
    thread.turn()
    assert read_head().size == before[0] + 2


@pytest.mark.parametrize("full", ["fairlog_logleaf", "fairlog_logtile", "fairlog_logday"])
def test_a_full_disk_in_the_middle_of_a_turn_loses_no_leaf(
    room: Redis, table: Table, full: str
) -> None:
    """PostgreSQL refuses one table of the log as it does when its disk is full (53100)."""
    thread = KeeperThread()
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            " RAISE EXCEPTION 'could not extend file: No space left on device'"
            " USING ERRCODE = 'disk_full'; END $$"
        )
        cursor.execute(
            f"CREATE TRIGGER disk_is_full BEFORE INSERT OR UPDATE ON {full}"
            " FOR EACH ROW EXECUTE FUNCTION full_disk()"
        )
    try:
        assert thread.turn() == AGAIN_S
        assert storage.size() in (0, 7) and storage.head() is None
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP FUNCTION full_disk() CASCADE")
    assert thread.turn() == LOOK_S
    assert keep_all() == 7 and read_head().size == 7
    assert [*audit.violations()] == []


@pytest.mark.parametrize("after", ["append", "write_tiles", "head"])
def test_a_keeper_that_dies_loses_and_doubles_no_leaf(
    room: Redis, table: Table, monkeypatch: pytest.MonkeyPatch, after: str
) -> None:
    class Died(BaseException):
        pass

    real = getattr(storage, after)

    def dying(*given: object) -> object:
        real(*given)
        raise Died

    with monkeypatch.context() as patch:
        patch.setattr(storage, after, dying)
        with pytest.raises(Died):
            Keeper().take_turn()
    assert storage.size() == (7 if after == "head" else 0)
    assert storage.head() is None
    assert keep_all() == 7
    assert read_head().root == tree.root_of([tree.leaf_hash(leaf) for leaf in leaves()])


def test_a_new_log_key_is_told_in_a_leaf_and_both_keys_sign(
    room: Redis, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_all()
    old = log_keys.private_keys()[0]
    path = environment.log_key_file()
    told = StringIO()
    call_command("fair_keys", "log", "--new", stdout=told)
    keep_all()
    new, before = log_keys.private_keys()
    assert before == old != new
    assert told.getvalue().split()[0] == public_key_of(new).hex()
    assert [keys.log for keys in log_keys.told_keys()] == [public_key_of(old), public_key_of(new)]
    note = storage.head().note  # type: ignore[union-attr]
    for key in (old, new):
        assert open_head(note, settings.FAIR_ORIGIN, public_key_of(key)).size == 8
    monkeypatch.setenv("LOG_KEY", environment.before(path).read_text())
    with pytest.raises(CommandError, match="LOG_KEY is set"):
        call_command("fair_keys", "log", "--new")
    with pytest.raises(RetiredKey):
        Keeper().take_turn()
    assert storage.size() == 8


def test_a_head_that_forgets_a_leaf_is_never_signed(
    room: Redis, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(
            keeper, "extended", lambda read, size, added: extended(read, size, added[:-1])
        )
        with pytest.raises((LogDamaged, ValueError)):
            keep_all()
    assert storage.head() is None


def test_a_rewritten_log_is_not_signed(room: Redis, table: Table) -> None:
    keep_all()
    head = read_head()
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE fairlog_logtile DISABLE TRIGGER tile_only_grows")
        cursor.execute("UPDATE fairlog_logtile SET hashes = sha256('') || substr(hashes, 33)")
        cursor.execute("ALTER TABLE fairlog_logtile ENABLE TRIGGER tile_only_grows")
    assert [*audit.violations()] == ["leaves of the log from 0 on are not those of its tiles"]
    with pytest.raises(LogDamaged, match="are not those that were signed"):
        Keeper().take_turn()
    assert read_head() == head


def test_postgresql_refuses_to_rewrite_the_log(room: Redis, table: Table) -> None:
    keep_all()
    wrong = (
        "UPDATE fairlog_logleaf SET leaf = '' WHERE index = 3",
        "DELETE FROM fairlog_logleaf WHERE index = 6",
        "UPDATE fairlog_logleaf SET index = 9 WHERE index = 6",
        "INSERT INTO fairlog_logleaf (kind, index, leaf) VALUES (3, 9, '')",
        "INSERT INTO fairlog_logleaf (kind, index, leaf) VALUES (3, 3, '')",
        "INSERT INTO fairlog_logleaf (kind, deck_id) SELECT 1, deck_id FROM fairlog_logleaf"
        " WHERE index = 2",
        "UPDATE fairlog_logtile SET hashes = substring(hashes FOR 64)",
        "DELETE FROM fairlog_logtile",
        "UPDATE fairlog_logday SET size = 3",
    )
    before = (leaves(), LogTile.objects.get().hashes, read_head())
    for statement in wrong:
        with (
            pytest.raises(IntegrityError),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(statement)
    assert (leaves(), LogTile.objects.get().hashes, read_head()) == before


def test_a_hand_that_nobody_can_read_does_not_stop_the_log(room: Redis, table: Table) -> None:
    Hand.objects.filter(number=1).update(record=b"\x00")
    LogLeaf.objects.filter(kind=LeafKind.FATE).update(leaf=None, states=None)
    assert keep_all() == 7
    fate = bytes(LogLeaf.objects.get(kind=LeafKind.FATE, deck__hand=1).leaf or b"")
    assert fate[70] == Fate.PLAYED and fate[-64:] == bytes(64)


def test_a_settlement_writes_the_leaf_that_a_replay_of_the_hand_makes(
    room: Redis, table: Table
) -> None:
    written = {leaf.pk: bytes(leaf.leaf or b"") for leaf in LogLeaf.objects.filter(index=None)}
    assert sum(map(bool, written.values())) == 2, "those of both ends"
    LogLeaf.objects.filter(index=None).update(leaf=None, states=None)
    keep_all()
    for pk, leaf in written.items():
        assert leaf in (b"", bytes(LogLeaf.objects.get(pk=pk).leaf or b""))
    assert LogDay.objects.get().played == 2 and LogDay.objects.get().unpledged == 6


def test_a_leaf_that_is_not_that_of_its_deck_is_made_anew(room: Redis, table: Table) -> None:
    first, second = LogLeaf.objects.filter(kind=LeafKind.FATE).order_by("pk")
    LogLeaf.objects.filter(pk=first.pk).update(leaf=second.leaf)
    keep_all()
    kept = bytes(LogLeaf.objects.get(pk=first.pk).leaf or b"")
    assert kept != bytes(second.leaf or b"") and kept[:70] == bytes(first.leaf or b"")[:70]
