"""Fixed family of a room: quiet on honest decks, loud on planted ones, with its exit status."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from redis import Redis

from tables.chance.family import DealtCounts, DealtDeck
from tables.fairness.leaves import Fate
from tables.models import Hand, SealedDeck
from tests.tables import playing
from tests.tables.chance.sampled_decks import decks
from tests.tables.fairlog.log_scene import play

SEATS = 6


def _dealt(deck: bytes, cut: bytes, *, group: str = "person", unopened: int = 0) -> DealtDeck:
    holes = tuple(
        (seat, group if seat == 1 else "bot", bytes((deck[seat - 1], deck[seat - 1 + SEATS])))
        for seat in range(1, SEATS + 1)
    )
    return DealtDeck(deck, cut, holes, SEATS, unopened)


def _counts(number: int, **how: Any) -> DealtCounts:
    random, counts = Random(3), DealtCounts()
    for deck in decks(b"room", number):
        cut = list(range(52))
        random.shuffle(cut)
        counts.add(1, _dealt(deck, bytes(cut), **how))
    return counts


def _verdicts(counts: DealtCounts) -> dict[str, str]:
    return {result.name: result.verdict for result in counts.results()}


def test_honest_decks_raise_nothing() -> None:
    verdicts = _verdicts(_counts(3_000))
    assert set(verdicts.values()) == {"holds"}
    assert {"position by card", "best hands of a person", "one hand and the next"} <= set(verdicts)


def test_each_planted_bias_raises_an_alarm() -> None:
    counts = _counts(3_000, unopened=1)
    assert _verdicts(counts)["unopened pledges"] == "alarm"
    counts.played, counts.void = counts.decks, 60
    assert _verdicts(counts)["void hands"] == "alarm"
    favoured, dull = DealtCounts(), DealtCounts()
    for number, deck in enumerate(decks(b"room", 3_000)):
        cards = deck
        if number % 20 == 0:  # aces for the first seat, once in twenty hands
            aces = [card for card in deck if card < 48]
            cards = bytes([48, *aces[: SEATS - 1], 49, *aces[SEATS - 1 :], 50, 51])
        favoured.add(1, _dealt(cards, bytes(range(52)), group="staff"))
        dull.add(1, _dealt(next(decks(b"one", 1)), bytes(range(52))))
    verdicts = _verdicts(favoured)
    assert verdicts["best hands of a staff"] == verdicts["fixed points of the cut"] == "alarm"
    assert verdicts["position by card"] == "alarm"
    assert _verdicts(dull)["equal decks"] == "alarm"


@pytest.mark.django_db(transaction=True)
def test_the_command_counts_the_hands_of_a_room_and_of_a_day(room: Redis, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no sealed deck") as none:
        call_command("fair_statistics", stdout=StringIO())
    assert none.value.returncode == 2
    play(room, 3)
    day = Hand.objects.first().finished_at.date()  # type: ignore[union-attr]
    path, told = tmp_path / "report.json", StringIO()
    call_command("fair_statistics", day=day, report=path, stdout=told)
    report = json.loads(path.read_text())
    assert report["thresholds"] == {"notice": 1e-4, "alarm": 1e-6}
    assert {name: one["decks"] for name, one in report["periods"].items()} == {
        "all": 3,
        day.isoformat(): 3,
    }
    assert "position by card" in told.getvalue()
    hand = Hand.objects.get(number=1)
    Hand.objects.filter(number=2).update(record=hand.record)
    with pytest.raises(CommandError, match="alarms"):
        call_command("fair_statistics", stdout=StringIO())
    assert SealedDeck.objects.filter(fate=1).count() == 3


@pytest.mark.django_db(transaction=True)
def test_void_hands_of_burnt_months_are_a_share_of_the_hands_of_these_months(
    room: Redis, tmp_path: Path
) -> None:
    table = play(room, 2)
    decks = [
        SealedDeck(
            table=table, epoch=0, hand=number, seal=number.to_bytes(32), sealed_ms=1, ended_ms=2,
            fate=2 if number % 1_000 == 0 else 1,
        )
        for number in range(1, 8_001)
    ]  # fmt: skip
    SealedDeck.objects.bulk_create(decks)
    path = tmp_path / "report.json"
    call_command("fair_statistics", report=path, stdout=StringIO())
    [period] = json.loads(path.read_text())["periods"].values()
    [void] = [one for one in period["tests"] if one["name"] == "void hands"]
    assert (period["decks"], period["void"], void["cases"]) == (2, 8, 8_002)
    assert void["verdict"] == "holds"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("fate", [Fate.VOID_IN_PLAY, Fate.VOID_BEFORE_CARDS])
def test_hands_that_are_void_too_often_raise_an_alarm_without_a_readable_deck(
    room: Redis, tmp_path: Path, fate: Fate
) -> None:
    """A room that voids decks it dislikes does so before their cards as well."""
    table = playing.sit_down([900] * 3)
    decks = [
        SealedDeck(
            table=table, epoch=0, hand=number, seal=number.to_bytes(32), sealed_ms=1, ended_ms=2,
            fate=fate if number % 50 == 0 else (Fate.PLAYED, Fate.UNPLAYED)[number % 2],
        )
        for number in range(1, 1_001)
    ]  # fmt: skip
    SealedDeck.objects.bulk_create(decks)
    path = tmp_path / "report.json"
    with pytest.raises(CommandError, match="1 alarms") as alarm:
        call_command("fair_statistics", report=path, stdout=StringIO())
    assert alarm.value.returncode == 1
    [void] = json.loads(path.read_text())["periods"]["all"]["tests"]
    assert (void["name"], void["cases"], void["verdict"]) == ("void hands", 500, "alarm")
