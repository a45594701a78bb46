"""`manage.py export_hands`: files that pokerkit reads, and refusals that write nothing."""

from __future__ import annotations

import json
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from pokerkit import HandHistory
from redis import Redis

from tables.models import Hand, Table
from tests.tournaments.cast import Arena, shove, started
from tests.tournaments.pages.hands.played_hands import PlayedHands
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db(transaction=True)


def export(tournament: Tournament, out: Path, *more: str) -> str:
    """Run the command; return the line it prints."""
    printed = StringIO()
    words = ["--tournament", str(tournament.pk), "--out", str(out), *more]
    call_command("export_hands", *words, stdout=printed, stderr=StringIO())
    return printed.getvalue()


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_whole_tournament_is_read_and_played_by_pokerkit(house: Redis, tmp_path: Path) -> None:
    tournament = started(7, players_max=7, seats_per_table=4)
    arena = Arena(tournament.pk, 8)
    arena.choose = shove
    arena.run()
    for cards in ("public", "all"):
        printed = export(tournament, tmp_path / cards, "--cards", cards)
        assert f"{Hand.objects.count()} hands" in printed
    found = {cards: list((tmp_path / cards).glob("table-*.phhs")) for cards in ("public", "all")}
    assert len(found["public"]) == len(found["all"]) == Table.objects.count() > 1
    for path in found["public"] + found["all"]:
        with path.open("rb") as file:
            histories = list(HandHistory.load_all(file))
        assert histories and {history.event for history in histories} == {tournament.name}
        for history in histories:
            if "_differs" not in history.user_defined_fields:
                assert list(history)[-1].stacks == history.finishing_stacks
    texts = {cards: "".join(path.read_text() for path in found[cards]) for cards in found}
    assert "dh p1 ????" in texts["public"]
    assert "??" not in texts["all"]


def test_lines_of_json_leave_out_hands_that_are_not_released(house: Redis, tmp_path: Path) -> None:
    played = PlayedHands(3)
    Hand.objects.filter(number=3).update(released_at=timezone.now() + timedelta(minutes=5))
    assert "2 hands" in export(played.tournament, tmp_path, "--format", "ndjson")
    [path] = tmp_path.iterdir()
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["hand"] for line in lines] == [1, 2]
    assert lines[0]["players"] and lines[0]["variant"] == "NT"


def test_open_hand_history_names_the_tournament(house: Redis, tmp_path: Path) -> None:
    played = PlayedHands(2, buy_in=10_00, fee=1_00, bounty=2_50)
    assert "2 hands" in export(played.tournament, tmp_path, "--format", "ohh")
    [path] = tmp_path.iterdir()
    assert path.name == "table-1.ohh"
    hands = [json.loads(text)["ohh"] for text in path.read_text().split("\n\n") if text]
    assert [hand["game_number"] for hand in hands] == [f"{played.table}-1", f"{played.table}-2"]
    info = hands[0]["tournament_info"]
    assert (info["buyin_amount"], info["fee_amount"]) == (10, 1)
    assert info["initial_stack"] == played.tournament.starting_stack
    assert (info["bounty_fee_amount"], info["flags"]) == (2.5, ["SNG", "Bounty"])


def test_texts_in_the_manner_of_pokerstars_name_the_price(house: Redis, tmp_path: Path) -> None:
    played = PlayedHands(3, buy_in=10_00, fee=1_00)
    assert "3 hands" in export(played.tournament, tmp_path, "--format", "pokerstars")
    [path] = tmp_path.iterdir()
    heads = [line for line in path.read_text().splitlines() if line.startswith("PokerStars Hand")]
    start = f": Tournament #{played.tournament.pk}, 1000+100 Hold'em No Limit - Level I ("
    assert len(heads) == 3 and all(start in head for head in heads)


def test_bad_input_is_refused_and_writes_nothing(house: Redis, tmp_path: Path) -> None:
    tournament = PlayedHands(1).tournament
    with pytest.raises(CommandError, match="over"):
        export(tournament, tmp_path, "--cards", "all")
    with pytest.raises(CommandError, match="no such tournament"):
        export(Tournament(pk=987_654), tmp_path)
    with pytest.raises(CommandError, match="invalid choice: 'doc'"):
        export(tournament, tmp_path, "--format", "doc")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").write_text("kept")
    with pytest.raises(CommandError, match="is not empty"):
        export(tournament, tmp_path)
    with pytest.raises(CommandError, match="Cannot write to"):
        export(tournament, tmp_path / "file")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["kept"]
