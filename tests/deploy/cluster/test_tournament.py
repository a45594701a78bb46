"""Whole tournaments through real processes, from registration to the last prize."""

from __future__ import annotations

import pytest

from tests.deploy.cluster.living import CALM_MS, Living, are_complete

PLAYERS, SEATS = 12, 6

pytestmark = pytest.mark.cluster


@pytest.mark.rule("Z-04")
def test_a_tournament_of_bots_is_right_to_the_last_chip_and_cent(living: Living) -> None:
    tournament = living.offer(players=PLAYERS, seats=SEATS, calm_ms=5_000)
    bots = living.send_bots(tournament, PLAYERS)
    report = bots.finish(within_s=90)
    assert report["violations"] == []
    assert report["finished"]
    assert report["players"] == report["entries"] == PLAYERS
    assert report["tables_opened"] == report["tables_closed"] >= 2
    assert report["moves"] >= 1, "a table broke and its players moved"
    assert report["chips_counted"] == report["chips_sold"] == PLAYERS * 3_000
    assert report["pool"] == report["paid"] == PLAYERS * 10_00
    assert report["fees"] == PLAYERS * 1_00
    assert report["ledger_sum"] == 0
    assert are_complete(report["places"], PLAYERS)
    assert report["actions"] > report["hands"] > 5
    assert report["levels_reached"] >= 2
    assert report["action_to_stream_ms"]["p50"] > 0
    assert living.manage("audit") == "no violation\n"


@pytest.mark.rule("F-08")
def test_bots_with_passwords_log_in_and_play(living: Living) -> None:
    people = living.layout.run / "people.jsonl"
    living.operate("people", str(people), "2")
    tournament = living.offer(players=2, seats=2, calm_ms=5_000)
    report = living.send_bots(tournament, 2, people).finish(within_s=60)
    assert report["violations"] == []
    assert {row["player"] for row in report["places"]} == {"Person0", "Person1"}
    assert report["commands_rejected"] == 0


def test_workers_keep_their_connections_to_postgresql(living: Living) -> None:
    tournament = living.offer(players=6, seats=6, calm_ms=CALM_MS)
    bots = living.send_bots(tournament, 6)
    living.wait(lambda: living.open_tables(tournament), 30, "the tournament starts")
    living.wait(living.goes_on(tournament), 30, "hands are settled")
    # Twice, because a connection may just reach its maximal age.
    assert any(_is_kept(living, tournament) for _ in range(2))
    living.end_calm(tournament)
    assert bots.finish(within_s=60)["violations"] == []


def _is_kept(living: Living, tournament: int) -> bool:
    """Return whether hands are settled over a connection that existed before them."""
    ((since,),) = living.sql("SELECT now()")
    living.wait(living.goes_on(tournament), 30, "more hands are settled")
    rows = living.sql(
        "SELECT 1 FROM pg_stat_activity WHERE application_name LIKE 'settle%%'"
        " AND backend_start < %s AND query_start > %s",
        since,
        since,
    )
    return bool(rows)
