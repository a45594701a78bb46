"""One command tells and prunes everything that ages, by the rules the room prunes by."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from axes.models import AccessLog
from django.conf import LazySettings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import models
from django.utils import timezone
from redis import Redis

from accounts.models import ApiAnswer, Mail, User, WelcomeCount
from accounts.retention.kinds import registered
from accounts.users import pruning
from config import limits
from config.environment import HOME
from tables.chat.models import ChatChannel, ChatMessage
from tables.conduct.models import PlayerConduct
from tables.management.commands import retention
from tables.models import Table
from tables.store import keys
from tournaments.events import outbox
from tournaments.models import Announcement

pytestmark = pytest.mark.django_db(transaction=True)

OLD = timedelta(days=400)


@pytest.fixture
def files(tmp_path: Path, settings: LazySettings) -> Path:
    """The folder of stored files, with an old one that no row names."""
    settings.MEDIA_ROOT = str(tmp_path / "files")
    (tmp_path / "files" / "faces").mkdir(parents=True)
    return tmp_path / "files"


def _run(*arguments: str) -> str:
    told = StringIO()
    call_command("retention", *arguments, stdout=told, stderr=told)
    return told.getvalue()


def _rows(told: str) -> dict[str, list[str]]:
    known = {kind.name for kind in registered()}
    split = [line.split() for line in told.splitlines()]
    return {cells[0]: cells for cells in split if cells and cells[0] in known}


def _aged(made: models.Model, field: str, **more: Any) -> None:
    """Make a row as old as OLD."""
    rows = type(made)._default_manager.filter(pk=made.pk)
    rows.update(**{field: timezone.now() - OLD}, **more)


def _fill(count: int = 1) -> User:
    """Make old and young rows of several kinds."""
    user = User.objects.create_user("olga")
    for number in range(count):
        _aged(AccessLog.objects.create(username=f"u{number}"), "attempt_time")
        _aged(Announcement.objects.create(stream="lobby", seq=number, published=True), "at")
    AccessLog.objects.create(username="young")
    Announcement.objects.create(stream="lobby", seq=1_000, published=True)
    _aged(Announcement.objects.create(stream="lobby", seq=1_001, published=False), "at")
    for state in (Mail.State.SENT, Mail.State.WAITING):
        mail = Mail.objects.create(address="a@example.com", subject="s", body="", state=state)
        _aged(mail, "made_at")
    _aged(ApiAnswer.objects.create(user=user, key="k", digest="d"), "made_at")
    channel = ChatChannel.objects.create(stream="tablechat:1")
    ChatMessage.objects.create(
        channel=channel, seq=1, user=user, name="olga", command="c", text="t",
        sent_at=timezone.now() - OLD,
    )  # fmt: skip
    return user


def _counts() -> list[int]:
    kinds: tuple[type[models.Model], ...] = (
        *(AccessLog, Announcement, Mail, ApiAnswer, ChatMessage, PlayerConduct, WelcomeCount),
    )
    return [kind._default_manager.count() for kind in kinds]


def test_a_dry_run_tells_every_kind_and_changes_nothing(room: Redis, files: Path) -> None:
    _fill()
    room.xadd(keys.events("tournament:3", 1), {"e": b"{}"}, id="0-1")
    before = _counts()
    told = _run("--dry-run")
    rows = _rows(told)
    assert rows.keys() == {kind.name for kind in registered()}
    assert rows["log-ins"][1:5] == ["30", "days", "LOGIN_ROWS_KEPT_DAYS", "2"]
    oldest = f"{timezone.now() - OLD:%Y-%m-%d}"
    assert rows["log-ins"][5:7] == [oldest, "1"]
    assert rows["announcements"][-2] == "1", "an unpublished event stays"
    assert rows["redis-streams"][-1] == "1"
    assert "Nothing was changed." in told
    assert _counts() == before
    assert room.ttl(keys.events("tournament:3", 1)) == -1


def test_every_kind_is_in_the_operators_table() -> None:
    page = (HOME / "docs" / "database.md").read_text()
    section = page.split("## Years of play\n", 1)[1].split("\n## ", 1)[0]
    assert [kind.name for kind in registered() if f"`{kind.name}`" not in section] == []


def test_the_command_prunes_by_the_rules_of_the_room_in_batches(
    room: Redis, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "PRUNED_PER_STATEMENT_MAX", 2)
    monkeypatch.setattr(retention, "AT_ONCE", 3)
    _fill(count=5)
    told = _run()
    assert "log-ins: 3 of 5 rows\nlog-ins: 5 of 5 rows\n" in told
    assert [row.username for row in AccessLog.objects.all()] == ["young"]
    assert sorted(Announcement.objects.values_list("seq", flat=True)) == [1_000, 1_001]
    assert [mail.state for mail in Mail.objects.all()] == [Mail.State.WAITING]
    assert not ApiAnswer.objects.exists() and not ChatMessage.objects.exists()
    assert {cells[-2] for cells in _rows(_run("--dry-run")).values()} & {"5", "3"} == set()
    assert pruning.prune() == 0 and outbox.prune() == 0


def test_a_chosen_kind_alone_is_pruned(room: Redis, files: Path) -> None:
    _fill(count=2)
    told = _run("--only", "log-ins")
    assert _rows(told).keys() == {"log-ins"}
    assert AccessLog.objects.count() == 1 and Announcement.objects.count() == 4


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--only", "hands-of-god"], "No such kind: hands-of-god. Kinds: .*announcements"),
        (["--only", ""], "No such kind"),
        (["--dry-run", "--only", "LOG-INS"], "No such kind"),
        (["--older"], "argument|unrecognized"),
        (["--forget-all"], "unrecognized"),
        (["--check-files", "--older", "12"], "--check-files goes alone"),
        (["--check-files", "--only", "log-ins"], "--check-files goes alone"),
    ],
)
def test_bad_input_changes_nothing(
    room: Redis, files: Path, arguments: list[str], words: str
) -> None:
    _fill()
    before = _counts()
    with pytest.raises(CommandError, match=words):
        _run(*arguments)
    assert _counts() == before


def test_a_redis_that_is_away_holds_up_no_other_kind(
    files: Path, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    from config import redis

    _fill()
    monkeypatch.setattr(limits, "REDIS_TIMEOUT_S", 0.2)
    settings.ROOM_REDIS_URL = "redis://127.0.0.1:1/0"
    redis.forget()
    try:
        with pytest.raises(CommandError, match=r"Not done: redis-streams, redis-tables\."):
            _run()
    finally:
        redis.forget()
    assert AccessLog.objects.count() == 1, "rows are pruned all the same"


def test_keys_without_an_expiry_get_one_and_live_tables_stay(room: Redis, files: Path) -> None:
    facts = [keys.events(stream, 1) for stream in ("tournament:3", "user:5", "lobby")]
    for key in facts:
        room.xadd(key, {"e": b"{}"}, id="0-1")
    room.expire(facts[2], 60)
    long_ago = timezone.now() - timedelta(days=2)
    tables = [
        Table.objects.create(
            director="tournament", game=1, number=number, seats_max=9, status=status, closed_at=at
        )
        for number, (status, at) in enumerate(
            [("open", None), ("closed", long_ago), ("closed", timezone.now())], start=1
        )
    ]
    for table in tables:
        room.hset(keys.state(keys.table(table.pk), 1), "epoch", 1)
        room.xadd(keys.events(keys.table(table.pk), 1), {"e": b"{}"}, id="1-1")
    _run("--only", "redis-streams", "--only", "redis-tables")
    assert room.ttl(facts[0]) > limits.STREAM_KEPT_S - 60 and 0 < room.ttl(facts[2]) <= 60
    lifetimes = [
        (room.ttl(keys.state(name, 1)) > 0, room.ttl(keys.events(name, 1)) > 0)
        for name in (keys.table(table.pk) for table in tables)
    ]
    assert lifetimes == [(False, False), (True, True), (False, False)]
    assert "redis-streams: " not in _run(), "a second run finds none"


def test_streams_of_facts_expire_after_their_last_event(room: Redis) -> None:
    Announcement.objects.create(stream="user:5", seq=1, payload=b'{"type":"x"}')
    assert outbox.publish(["user:5"]) == 1
    assert room.ttl(keys.events("user:5", 1)) > limits.STREAM_KEPT_S - 60
