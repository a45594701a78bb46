"""Files of the call and the log key at the start of a settle worker: missing, cut, foreign, new."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from redis import Redis

from config import environment
from config.environment import KeyFileMissing
from deploy.embedded import ports
from tables.fairlog import keeping, log_keys, storage
from tables.fairlog.keeper import Keeper
from tables.fairlog.log_keys import RetiredKey
from tables.fairness.signing import public_key_of
from tables.models import CallKey, Hand, Table
from tables.workers import key_files, sealing, starting
from tests.tables import playing
from tests.tables.fairlog.log_scene import keep_all, play, read_head
from tests.tables.fairness.verifier import SCRIPT, failures
from tests.tables.history.downloading import proof_of

pytestmark = pytest.mark.django_db(transaction=True)

OTHER = "another room's key, which is long enough to be one"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: Redis) -> dict[str, Path]:
    """The files of both keys of a room with a settled hand, whose log is signed."""
    monkeypatch.delenv("CALL_KEY", raising=False)
    monkeypatch.delenv("LOG_KEY", raising=False)
    found = {word: tmp_path / f"{word}_key" for word in ("call", "log")}
    for word, path in found.items():
        monkeypatch.setenv(f"{word.upper()}_KEY_FILE", str(path))
    sealing.call_key.cache_clear()
    play(room, 1)
    keep_all()
    return found


@pytest.fixture(autouse=True)
def _forget_the_call_key() -> Iterator[None]:
    yield
    sealing.call_key.cache_clear()


def _start() -> None:
    starting.hold_keys("settle")
    keeping.hold_key("settle")


def _told() -> tuple[list[bytes], int]:
    return [bytes(row.public) for row in CallKey.objects.all()], storage.size()


@pytest.mark.parametrize("word", ["call", "log"])
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (None, "is missing, and the room is known by it: restore the file"),
        ("", "is cut short: restore the file"),
        ("short", "is cut short: restore the file"),
        (OTHER, "is of another room: put the right file at"),
    ],
)
def test_a_settle_worker_without_the_rooms_signing_key_does_not_start(
    files: dict[str, Path], word: str, text: str | None, sentence: str
) -> None:
    _start()
    path, before = files[word], _told()
    path.unlink()
    if text is not None:
        path.write_text(text)
    with pytest.raises(KeyFileMissing, match=rf"^The {word} key in .* {sentence}") as refused:
        _start()
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 300
    assert path.exists() == (text is not None), "no key is made in its place"
    assert _told() == before
    starting.hold_keys("play")
    keeping.hold_key("play")


@pytest.mark.parametrize("word", ["call", "log"])
def test_an_empty_variable_is_no_signing_key(
    files: dict[str, Path], word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _start()
    files[word].unlink()
    monkeypatch.setenv(f"{word.upper()}_KEY", "")
    with pytest.raises(KeyFileMissing, match="is missing, and the room is known by it"):
        _start()
    assert not files[word].exists(), "no key is made in its place"


def test_an_empty_variable_keeps_no_key_from_being_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROOM_LOCAL", str(tmp_path))
    for word in ("DECK", "RECORD", "OWN"):
        monkeypatch.setenv(f"{word}_KEY", "")
        monkeypatch.delenv(f"{word}_KEY_FILE", raising=False)
    made = {path.name for path in key_files.make_missing()}
    assert made == {"deck_key", "record_key", "own_key"}


def test_an_empty_file_signs_nothing(files: dict[str, Path]) -> None:
    for path in files.values():
        path.write_text("\n")
    sealing.call_key.cache_clear()
    with pytest.raises(KeyFileMissing, match="call key"):
        sealing.call_key()
    with pytest.raises(KeyFileMissing, match="log key"):
        log_keys.private_keys()


def test_a_new_room_makes_its_keys(
    room: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for word in ("CALL", "LOG"):
        monkeypatch.setenv(f"{word}_KEY_FILE", str(tmp_path / word))
    _start()
    assert not list(tmp_path.iterdir()), "the first signature makes the file"


@pytest.mark.parametrize("is_lost", [False, True])
def test_workers_start_with_a_new_key_that_the_command_made(
    files: dict[str, Path], *, is_lost: bool
) -> None:
    for word, path in files.items():
        if is_lost:
            path.unlink()
        call_command("fair_keys", word, "--new")
        assert environment.before(path).exists() != is_lost
    _start()
    assert public_key_of(sealing.call_key()) in _told()[0]
    assert public_key_of(log_keys.private_keys()[0]) == log_keys.told_keys()[-1].log
    assert read_head().size == storage.size()


@pytest.mark.parametrize("word", ["call", "log"])
def test_a_new_key_that_the_database_cannot_be_told_changes_no_file(
    files: dict[str, Path], word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = files[word].read_text()
    connection.close()
    with monkeypatch.context() as away:
        away.setitem(connection.settings_dict, "PORT", str(ports.free()))
        with pytest.raises(CommandError, match=r"^No key was made: .* does not answer: "):
            call_command("fair_keys", word, "--new")
    connection.close()
    assert files[word].read_text() == before and not environment.before(files[word]).exists()


def test_a_running_worker_keeps_no_log_with_a_key_that_was_replaced_elsewhere(
    files: dict[str, Path], room: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, text = Keeper(), files["log"].read_text().strip()
    old.take_turn()
    call_command("fair_keys", "log", "--new")
    while Hand.objects.count() < 2:
        playing.step_on(room, Table.objects.get().pk)
    with monkeypatch.context() as other_machine:
        other_machine.setenv("LOG_KEY", text)
        other_machine.setenv("LOG_KEY_FILE", str(files["log"].with_name("none")))
        with pytest.raises(RetiredKey):
            old.take_turn()
    keep_all()
    assert read_head().size == storage.size()


def test_the_printed_command_checks_hands_and_heads_that_older_keys_signed(
    files: dict[str, Path], room: Redis, tmp_path: Path
) -> None:
    old, table = storage.head(), Table.objects.get()
    assert old is not None
    for word, path in files.items():
        call_command("fair_keys", word, "--new")
        environment.before(path).unlink()
    sealing.call_key.cache_clear()
    _start()
    while Hand.objects.count() < 3:
        playing.step_on(room, table.pk)
    keep_all()
    page = re.search(r"verify\.py PROOF\.json([^<]+)<", Client().get("/fair/").content.decode())
    assert page is not None
    options = page[1].split()
    keys = [key for name, key in zip(options[::2], options[1::2], strict=True) if "log" in name]
    assert len(keys) == 2 and options.count("--call-key") == 2
    way = Client().get(f"/fair/consistency/{old.size}/{storage.size()}").json()["path"]
    newest = (public_key_of(log_keys.private_keys()[0]), public_key_of(sealing.call_key()))
    for number, by_the_newest in ((1, {"V03", "V15"}), (3, {"V15"})):
        proof = proof_of(table, number, Client())
        proof["log"] |= {"older": {"checkpoint": old.note, "path": way}}  # type: ignore[operator]
        (tmp_path / "proof.json").write_text(json.dumps(proof))
        command = [sys.executable, "-I", "-S", str(SCRIPT), str(tmp_path / "proof.json"), *options]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (run.returncode, run.stdout.splitlines()[-1]) == (0, "All checks hold."), run
        assert failures(proof, *newest) == by_the_newest
