"""Backup and restore of small rooms: what is kept, and what is refused and changes nothing."""

from __future__ import annotations

import json
import os
import shutil
import stat
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import LazySettings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from psycopg import sql
from redis import Redis

from config import clock
from deploy.backup import database, saving
from deploy.backup.manifest import DATABASE, FILES, KEYS, MANIFEST, BackupRefused
from deploy.backup.restoring import EmptyRoom, restore_room
from deploy.backup.servers import servers_of_room
from deploy.backup.stored_files import names_in
from deploy.embedded.postgres import KEEPER, ROOM
from deploy.processes.lock import DataLock
from tables.records import month_keys
from tables.workers import presence
from tests.accounts.s3_receiver import bucket, settings_of
from tests.conftest import world

DECK, LOG = "d" * 64, "l" * 64
NAMES = ["clubs/crest.webp", "faces/a.webp", "faces/deep/b.webp"]
KEY_VARIABLES = ("SECRET_KEY", "CALL_KEY", "LOG_KEY", "DECK_KEY", "RECORD_KEY", "OWN_KEY")


@dataclass
class Place:
    """A database, a folder of stored files, and a folder of keys: a room, or an empty one."""

    url: str
    files: Path
    local: Path
    settings: LazySettings
    environment: pytest.MonkeyPatch

    def enter(self) -> EmptyRoom:
        """Let commands of this process find this room."""
        self.environment.setenv("ROOM_LOCAL", str(self.local))
        self.environment.setenv("DATABASE_URL", self.url)
        self.settings.MEDIA_ROOT = str(self.files)
        self.settings.DATABASE_URL = self.url
        return EmptyRoom(self.url, self.settings.ROOM_REDIS_URL)

    def contents(self) -> tuple[list[str], list[str], dict[str, bytes]]:
        """Return the tables, the stored files, and the files of keys."""
        kept = {path.name: path.read_bytes() for path in self.local.iterdir()}
        return database.tables_of(self.url), list(names_in(default_storage)), kept


@pytest.fixture
def places(
    tmp_path: Path, settings: LazySettings, monkeypatch: pytest.MonkeyPatch, room: Redis
) -> Iterator[tuple[Place, Place]]:
    """A small room, and an empty one."""
    room.flushall()
    world.server("postgres")
    server = world.servers.postgres
    for name in KEY_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    found = []
    with psycopg.connect(server.url_of(KEEPER, "postgres"), autocommit=True) as keeper:
        for word in ("full", "empty"):
            name = f"backup_{word}_{os.getpid()}"
            create = sql.SQL("CREATE DATABASE {} OWNER {}")
            keeper.execute(create.format(sql.Identifier(name), sql.Identifier(ROOM)))
            local = tmp_path / word
            local.mkdir()
            url = server.url_of(ROOM, name)
            found.append(Place(url, local.with_name(f"{word}-files"), local, settings, monkeypatch))
        try:
            _fill(found[0])
            yield found[0], found[1]
        finally:
            for word in ("full", "empty"):
                drop = sql.SQL("DROP DATABASE {} WITH (FORCE)")
                keeper.execute(drop.format(sql.Identifier(f"backup_{word}_{os.getpid()}")))


def _fill(place: Place) -> None:
    """Give a room some rows, three stored files, and its keys."""
    place.enter()
    with psycopg.connect(place.url) as opened:
        opened.execute("CREATE TABLE hands (id serial PRIMARY KEY, pot int)")
        opened.execute("INSERT INTO hands (pot) SELECT n FROM generate_series(1, 500) n")
        opened.execute("CREATE TABLE django_migrations (app text, name text)")
        opened.execute("INSERT INTO django_migrations VALUES ('sessions', '0001_initial')")
    for name in NAMES:
        default_storage.save(name, ContentFile(name.encode() * 100))
    month = month_keys.month_of(clock.now_ms())
    for name in ("record_key", "own_key"):
        month_keys.make(place.local / name, month)
    keys = {"secret_key": "s" * 64, "call_key": "c" * 64, "log_key": LOG, "deck_key": DECK}
    for name, text in {**keys, "log_key.before": "b" * 64}.items():
        (place.local / name).write_text(text)


def _save(place: Place, folder: Path, **options: Any) -> Path:
    saving.save_room(place.enter().owner_url, folder, _silent, **options)
    return folder


def _silent(_line: str) -> None: ...


def test_commands_bring_a_room_into_an_empty_one(
    places: tuple[Place, Place], tmp_path: Path
) -> None:
    full, empty = places
    told = StringIO()
    full.enter()
    call_command("backup", str(tmp_path / "backup"), stdout=told)
    assert "database: " in told.getvalue() and "stored files: 3 files" in told.getvalue()
    assert "keys: 7 files" in told.getvalue()
    kept = full.contents()
    manifest = json.loads((tmp_path / "backup" / MANIFEST).read_text())
    assert manifest["migrations"] == ["sessions.0001_initial"] and manifest["files"] == 3
    for part in manifest["parts"]:
        body = (tmp_path / "backup" / part["path"]).read_bytes()
        assert (len(body), sha256(body).hexdigest()) == (part["size"], part["sha256"])
    empty.enter()
    (empty.local / "secret_key").write_text("made by the first command of an empty room")
    told = StringIO()
    call_command("restore", str(tmp_path / "backup"), stdout=told)
    assert "manage.py prepare --database" in told.getvalue()
    tables, names, keys = empty.contents()
    assert b"first command" in keys.pop("secret_key.unused")
    assert (tables, names, keys) == kept
    with psycopg.connect(empty.url) as opened:
        assert opened.execute("SELECT sum(pot) FROM hands").fetchone() == (125_250,)
    with default_storage.open(NAMES[2]) as file:
        assert file.read() == NAMES[2].encode() * 100
    with pytest.raises(CommandError, match="not empty"):
        call_command("restore", str(tmp_path / "backup"), stdout=told)


def test_only_its_owner_reads_a_backup_and_the_keys_that_are_put_back(
    places: tuple[Place, Place], tmp_path: Path
) -> None:
    full, empty = places
    folder = _save(full, tmp_path / "backup")
    for path in (folder, *folder.rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
    for name in ("database.dump", "files.tar", "manifest.json"):
        assert DECK.encode() not in (folder / name).read_bytes(), "keys are in their own part"
    restore_room(empty.enter(), folder, _silent)
    for path in empty.local.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
    secret = "opensesame"
    options = database.libpq_environment(f"postgresql://room:{secret}@127.0.0.1:5432/room")
    assert options["PGPASSWORD"] == secret and options["PGDATABASE"] == "room"


def test_keys_may_lie_apart_or_be_left_out(places: tuple[Place, Place], tmp_path: Path) -> None:
    full, empty = places
    folder = _save(full, tmp_path / "backup")
    (folder / KEYS).rename(tmp_path / "safe")
    with pytest.raises(BackupRefused, match="secret_key is missing"):
        restore_room(empty.enter(), folder, _silent)
    assert empty.contents() == ([], [], {})
    restore_room(empty.enter(), folder, _silent, keys=tmp_path / "safe")
    assert (empty.local / "deck_key").read_text() == DECK
    bare = _save(full, tmp_path / "bare", with_keys=False)
    assert not (bare / KEYS).exists()
    full.environment.setenv("DECK_KEY", DECK)
    (full.local / "own_key").unlink()
    manifest = json.loads((_save(full, tmp_path / "third") / MANIFEST).read_text())
    assert (manifest["keys_elsewhere"], manifest["keys_missing"]) == (["deck_key"], ["own_key"])


def test_files_of_a_bucket_are_kept(places: tuple[Place, Place], tmp_path: Path) -> None:
    full, empty = places
    settings = full.settings
    with bucket() as held:
        settings.STORAGES = settings.STORAGES | {"default": settings_of(held)}
        for name in NAMES:
            default_storage.save(name, ContentFile(name.encode() * 100))
        folder = _save(full, tmp_path / "backup")
        kept = dict(held.objects)
        with pytest.raises(BackupRefused, match="its storage has files, as clubs/crest"):
            restore_room(empty.enter(), folder, _silent)
        held.objects.clear()
        restore_room(empty.enter(), folder, _silent)
        assert held.objects == kept and len(kept) == 3


def _declare(folder: Path, **fields: object) -> None:
    """Change fields of a manifest, and let it name sizes and digests of the parts as they are."""
    path = folder / MANIFEST
    manifest = {**json.loads(path.read_text()), **fields}
    for part in manifest["parts"]:
        body = (folder / part["path"]).read_bytes()
        part |= {"size": len(body), "sha256": sha256(body).hexdigest()}
    path.write_text(json.dumps(manifest))


def _flip(path: Path) -> None:
    body = bytearray(path.read_bytes())
    body[len(body) // 2] ^= 1
    path.write_bytes(body)


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def _with_name(path: Path, name: str, kind: bytes = tarfile.REGTYPE) -> None:
    with tarfile.open(path, "w") as tar:
        entry = tarfile.TarInfo(name)
        entry.type, entry.linkname = kind, "/etc/passwd"
        tar.addfile(entry, BytesIO())


def _garble_dump(folder: Path) -> None:
    (folder / DATABASE).write_bytes(b"no dump" * 100)
    _declare(folder)


def _name_in_tar(name: str, kind: bytes = tarfile.REGTYPE) -> Callable[[Path], None]:
    def garble(folder: Path) -> None:
        _with_name(folder / FILES, name, kind)
        _declare(folder, files=1)

    return garble


WRONG_BACKUPS: list[tuple[str, Callable[[Path], object]]] = [
    ("is no backup", lambda folder: (folder / MANIFEST).unlink()),
    ("manifest.json is damaged", lambda folder: _cut(folder / MANIFEST)),
    ("has format 9", lambda folder: _declare(folder, format=9)),
    ("damaged or of another release", lambda folder: _declare(folder, unheard=1)),
    ("database.dump was changed", lambda folder: _flip(folder / DATABASE)),
    ("database.dump was cut short", lambda folder: _cut(folder / DATABASE)),
    ("database.dump is missing", lambda folder: (folder / DATABASE).unlink()),
    ("files.tar was changed", lambda folder: _flip(folder / FILES)),
    ("files.tar was cut short", lambda folder: _cut(folder / FILES)),
    ("files.tar is missing", lambda folder: (folder / FILES).unlink()),
    ("deck_key was changed", lambda folder: _flip(folder / KEYS / "deck_key")),
    ("own_key is missing", lambda folder: (folder / KEYS / "own_key").unlink()),
    ("pg_restore failed", _garble_dump),
    ("has 3 files, the manifest says 4", lambda folder: _declare(folder, files=4)),
    ("no stored file", _name_in_tar("../outside")),
    ("no stored file", _name_in_tar("/etc/outside")),
    ("no stored file", _name_in_tar("faces/link", tarfile.SYMTYPE)),
    ("does not know its migrations: tables.9999_later",
     lambda folder: _declare(folder, migrations=["sessions.0001_initial", "tables.9999_later"])),
]  # fmt: skip


def test_a_damaged_backup_is_refused_and_changes_nothing(
    places: tuple[Place, Place], tmp_path: Path
) -> None:
    full, empty = places
    folder = _save(full, tmp_path / "backup")
    target = empty.enter()
    for number, (words, damage) in enumerate(WRONG_BACKUPS):
        copy = shutil.copytree(folder, tmp_path / f"copy{number}")
        damage(copy)
        with pytest.raises(BackupRefused) as refused:
            restore_room(target, copy, _silent)
        assert words in str(refused.value), (words, str(refused.value))
        assert empty.contents() == ([], [], {}), words
    restore_room(target, folder, _silent)


def test_a_room_that_is_not_empty_is_refused_and_stays(
    places: tuple[Place, Place], tmp_path: Path, room: Redis
) -> None:
    full, empty = places
    folder = _save(full, tmp_path / "backup")
    target = empty.enter()

    def refuse(words: str, where: EmptyRoom = target) -> None:
        before = empty.contents()
        with pytest.raises(BackupRefused) as refused:
            restore_room(where, folder, _silent)
        assert words in str(refused.value), (words, str(refused.value))
        assert empty.contents() == before, words

    presence.note(room, presence.Worker("play0@here", ("play",), clock.redis_now_ms(room)))
    refuse("Workers are alive on the room's Redis: play0@here")
    room.flushall()
    room.set("left", "behind")
    refuse("its Redis has 1 keys")
    room.flushall()
    (empty.local / "deck_key").write_text("e" * 64)
    refuse("another key is in")
    (empty.local / "deck_key").write_text(DECK)
    empty.environment.setenv("LOG_KEY", "another key, of forty characters or so")
    refuse("LOG_KEY is set in the environment")
    empty.environment.setenv("LOG_KEY", LOG)
    default_storage.save("faces/left.webp", ContentFile(b"left"))
    refuse("its storage has files, as faces/left.webp")
    default_storage.delete("faces/left.webp")
    refuse("does not answer", EmptyRoom(empty.url.replace("room:", "room:not"), target.redis_url))
    refuse("Redis does not answer", EmptyRoom(empty.url, "redis://127.0.0.1:1/0"))
    with psycopg.connect(empty.url) as opened:
        opened.execute("CREATE TABLE left_behind ()")
    refuse("its database has 1 tables and sequences (public.left_behind)")
    with psycopg.connect(empty.url) as opened:
        opened.execute("DROP TABLE left_behind")
        opened.execute("CREATE TYPE hands AS (a int)")
    refuse("pg_restore failed, the database is as before")
    with psycopg.connect(empty.url) as opened:
        opened.execute("DROP TYPE hands")
    restore_room(target, folder, _silent)
    assert not (empty.local / "log_key").exists(), "the key is in the environment"


def test_a_backup_that_cannot_be_written_leaves_nothing(
    places: tuple[Place, Place], tmp_path: Path
) -> None:
    full, empty = places
    folder = tmp_path / "backup"
    with pytest.raises(BackupRefused, match="no tables of a room"):
        _save(empty, folder)
    wrong = full.url.replace("room:", "room:not")
    with pytest.raises(BackupRefused, match="does not answer"):
        saving.save_room(wrong, folder, _silent)
    (full.local / "deck_key").write_text("short")
    with pytest.raises(BackupRefused, match="deck_key is cut short"):
        _save(full, folder)
    (full.local / "deck_key").write_text(DECK)
    with saving._new_folder(folder), pytest.raises(BackupRefused, match="Another backup"):
        _save(full, folder)
    with pytest.raises(BackupRefused, match="exists"):
        _save(full, folder)
    folder.rmdir()
    with psycopg.connect(full.url) as opened:
        opened.execute("ALTER TABLE hands OWNER TO CURRENT_USER")
        opened.execute("REVOKE SELECT ON hands FROM CURRENT_USER")
    with pytest.raises(BackupRefused, match=r"pg_dump failed:\s.*permission denied"):
        _save(full, folder)
    with psycopg.connect(full.url) as opened:
        opened.execute("GRANT SELECT ON hands TO CURRENT_USER")
    (tmp_path / "file").write_text("")
    kept, full.files = full.files, tmp_path / "file"
    with pytest.raises(BackupRefused, match="The storage of files does not do it"):
        _save(full, folder)
    full.files = kept
    with pytest.raises(BackupRefused, match="cannot be written"):
        _save(full, tmp_path / "file" / "backup")
    assert not list(tmp_path.glob("backup*"))
    (tmp_path / "backup.part").mkdir()
    (tmp_path / "backup.part" / "database.dump").write_text("of one that was killed")
    _save(full, folder)
    assert not (tmp_path / "backup.part").exists()


def test_servers_of_a_room_that_does_not_run_are_started_for_the_command(
    monkeypatch: pytest.MonkeyPatch, settings: LazySettings
) -> None:
    home = Path(tempfile.mkdtemp(prefix="room-asleep-"))
    home.chmod(0o711)
    for name in ("DATABASE_URL", "ROOM_REDIS_URL"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("ROOM_LOCAL", str(home))
    try:
        with pytest.raises(BackupRefused, match="There is no room in"):
            servers_of_room(_silent, must_exist=True).__enter__()
        assert not list(home.iterdir())
        with servers_of_room(_silent) as room:
            assert database.tables_of(room.owner_url) == []
            with Redis.from_url(room.redis_url) as redis:
                assert redis.dbsize() == 0
        with pytest.raises(BackupRefused, match="does not answer"):
            database.tables_of(room.owner_url)
        with DataLock(home / "data" / "lock"), servers_of_room(_silent, must_exist=True) as running:
            assert running.redis_url == settings.ROOM_REDIS_URL
    finally:
        shutil.rmtree(home)
