"""Hands and epochs in the log: none is left out, and none is dealt again without a void deck."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from django.db import connection
from redis import Redis

from tables.dealer.grants import Timing
from tables.fairaudit.epochs import NAME, judge_epochs
from tables.fairness.leaves import Fate, LeafKind
from tables.models import Hand
from tables.store import fenced, inbox
from tables.workers import advance, recovery, settle
from tests.tables import playing, stages
from tests.tables.fairaudit.audited import Audited
from tests.tables.fairlog.log_scene import keep_all, leaves, play
from tests.tables.fairmirror.stories import VOID, SealedName, beginning, hands, honest


def _kinds(story: list[bytes]) -> list[tuple[str, int, int, int]]:
    return [(str(one.kind), one.table, one.epoch, one.hand) for one in judge_epochs(story)]


def test_an_honest_story_has_no_finding() -> None:
    assert _kinds(honest()) == []


@pytest.mark.parametrize(
    ("story", "finding"),
    [
        ([*hands(1, 1, [1, 3])], ("number", 1, 1, 3)),
        ([*hands(1, 1, [1, 2, 2])], ("number", 1, 1, 2)),
        ([*hands(1, 2, [1]), *hands(1, 1, [2])], ("number", 1, 1, 2)),
        ([*hands(1, 1, [1, 2]), *hands(1, 2, [2])], ("epoch", 1, 2, 2)),
        ([*hands(1, 1, [1]), *hands(1, 2, [3])], ("epoch", 1, 2, 3)),
        ([SealedName(1, 1, 1).seal(), *hands(1, 2, [1])], ("epoch", 1, 2, 1)),
        (
            [
                SealedName(1, 1, 1).seal(),
                *hands(1, 2, [1]),
                SealedName(1, 1, 1).fate(VOID),
            ],
            ("epoch", 1, 2, 1),
        ),
    ],
)
def test_a_hand_left_out_or_dealt_again_is_found(
    story: list[bytes], finding: tuple[str, int, int, int]
) -> None:
    assert _kinds([*beginning(), *story]) == [finding]


@pytest.mark.django_db(transaction=True)
def test_a_void_hand_that_is_logged_as_played_is_found_by_its_epoch(
    room: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOG_KEY_FILE", str(tmp_path / "log_key"))
    table = play(room, 1)
    playing.run(room, table.pk)
    assert recovery.rebuild(room, table.pk, seen_epoch=1)
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE tables_sealeddeck DISABLE TRIGGER USER")
        cursor.execute("UPDATE tables_sealeddeck SET fate = 1, reason = 0 WHERE fate = 2")
        cursor.execute("ALTER TABLE tables_sealeddeck ENABLE TRIGGER USER")
    while Hand.objects.count() < 2:
        playing.step_on(room, table.pk)
    keep_all()
    found = Audited(tmp_path / "report.json")
    assert found.status == 1 and "epoch" in found.kinds, found.told
    assert "hand 2 of epoch 1 was played" in found.told


@pytest.mark.django_db(transaction=True)
def test_a_decided_hand_that_is_settled_in_the_next_epoch_is_honest(
    room: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOG_KEY_FILE", str(tmp_path / "log_key"))
    pace = Timing(action_ms=60_000, hand_pause_ms=0, showdown_pause_ms=0, street_pause_ms=50)
    monkeypatch.setattr(playing, "TIMING", pace)
    table = playing.sit_down([1_000, 900])
    assert recovery.adopt(room, 0)
    state = playing.run(room, table.pk)
    for kind, amount in (("raise", 900), ("call", None)):
        assert state.turn is not None
        raw = msgspec.json.encode(stages.act(state, kind, amount))
        inbox.append(room, table.pk, state.at(state.turn.seat).user, raw)
        advance.advance(room, table.pk)
        found = fenced.peek(room, table.pk)
        assert found is not None
        state = found
    assert state.phase == "run_out"
    settle.settle(room, table.pk)
    assert recovery.rebuild(room, table.pk, seen_epoch=state.epoch)
    for _ in range(20):
        shown = fenced.peek(room, table.pk)
        assert shown is not None
        playing.wait_until(shown.due_ms)
        step = advance.advance if shown.phase == "run_out" else settle.settle
        step(room, table.pk)
        if Hand.objects.exists():
            break
    keep_all()
    story = leaves()
    seals = [leaf for leaf in story if leaf[1] == LeafKind.SEAL]
    named = [[int.from_bytes(leaf[place]) for place in NAME[1:]] for leaf in seals]
    assert named == [[state.epoch, 1], [state.epoch + 1, 2]]
    ends = [leaf[70] for leaf in story if leaf[1] == LeafKind.FATE]
    assert ends == [Fate.PLAYED]
    assert _kinds(story) == []
