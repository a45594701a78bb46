"""End screen of a tournament for its winner, busted players, remaining players and spectators."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from tables.models import Hand
from tables.records import stored
from tests.tournaments import cast
from tournaments.models import Entry, Tournament
from tournaments.queries import overview as queries
from tournaments.queries.end_screen import end_screen
from tournaments.running import rulings

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("room")]


def _played(players: int = 4, **fields: object) -> tuple[Tournament, cast.Arena]:
    made = cast.started(players, **fields)
    return made, cast.Arena(made.pk, seed=3)


def _until_somebody_is_out(made: Tournament, arena: cast.Arena) -> Entry:
    for _ in range(2_000):
        for table in arena.tables():
            arena.step(table)
        out = made.entries.filter(state=Entry.State.OUT).select_related("user").first()
        if out is not None:
            return out
    raise AssertionError("no player busts")


def _page(user: User | None, made: Tournament, address: str = "end/") -> str:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client.get(f"/tournaments/{made.pk}/{address}").content.decode()


def test_a_knock_out_shows_the_place_and_the_hand() -> None:
    made, arena = _played()
    out = _until_somebody_is_out(made, arena)
    made.refresh_from_db()
    shown = end_screen(made, out.user)
    assert shown is not None and shown.is_mine and not shown.is_over
    assert (shown.place, shown.entrants, shown.podium) == (out.place, 4, ())
    assert shown.hand is not None
    kept = Hand.objects.get(table=shown.hand.table, number=shown.hand.number)
    assert out.pk in {seat.entry for seat in stored.decode(bytes(kept.record)).busted()}
    page = _page(out.user, made)
    assert f"Place {out.place} of 4" in page
    assert f"/tables/{shown.hand.table}/hands/{shown.hand.number}/" in page
    assert "Watch on" in page


@pytest.mark.rule("T-15")
@pytest.mark.parametrize("players", [3, 2])
def test_a_disqualification_shows_no_hand_that_decided_it(players: int) -> None:
    made, arena = _played(players)
    out = cast.somebody(made)
    rulings.disqualify(out.pk, actor=None, reason="because")
    arena.step(arena.tables()[0])
    made.refresh_from_db()
    shown = end_screen(made, out.user)
    assert shown is not None and shown.place == players and shown.hand is None
    assert "Replay the hand" not in _page(out.user, made)
    if players == 2:
        winner = made.entries.select_related("user").get(place=1).user
        for user in (winner, None):
            ended = end_screen(made, user)
            assert ended is not None and ended.is_over and ended.hand is None


def test_a_place_waits_for_the_end_of_sales_and_says_so() -> None:
    made, arena = _played(
        start="scheduled",
        starts_at=timezone.now(),
        players_max=60,
        late_ends="at_level",
        late_value=9,
    )
    out = _until_somebody_is_out(made, arena)
    assert out.place is None
    for address in ("end/", ""):
        page = _page(out.user, made, address)
        assert "place is certain once nobody can enter or buy chips any more" in page
        assert "other tables" not in page and "hands are finished" not in page


def test_players_and_spectators_see_no_end_screen_before_the_end() -> None:
    made, arena = _played()
    _until_somebody_is_out(made, arena)
    made.refresh_from_db()
    live = made.entries.filter(state=Entry.State.SEATED).select_related("user")[0]
    assert end_screen(made, live.user) is None
    assert end_screen(made, None) is None
    assert _page(live.user, made).strip() == ""


def test_the_winner_sees_the_prize_and_the_podium_and_a_spectator_the_podium() -> None:
    made, arena = _played()
    arena.run()
    made.refresh_from_db()
    winner = made.entries.select_related("user").get(place=1)
    shown = end_screen(made, winner.user)
    assert shown is not None and shown.has_won
    assert [medal.place for medal in shown.podium] == [1, 2, 3]
    assert shown.podium[0].prize == winner.prize == shown.prize
    page = _page(winner.user, made)
    assert "You have won the tournament!" in page
    assert "data-won" in page
    spectator = end_screen(made, None)
    assert spectator is not None and not spectator.is_mine
    assert spectator.podium == shown.podium
    assert "The tournament is over" in _page(None, made)


def test_the_next_tournament_is_one_of_the_same_name_that_the_money_covers() -> None:
    made, arena = _played()
    cast.open_offer(name="Another")
    alike = cast.open_offer()
    dear = cast.open_offer(buy_in=10_000_000)
    arena.run()
    made.refresh_from_db()
    user = made.entries.select_related("user").get(place=1).user
    shown = end_screen(made, user)
    assert shown is not None and shown.following is not None
    assert shown.following.summary.tournament == alike.pk != dear.pk
    assert f"/tournaments/{alike.pk}/register/" in _page(user, made)


def test_a_finished_tournament_opens_with_its_results_without_players_left() -> None:
    made, arena = _played()
    running = _page(None, made, "")
    assert "?tab=players" in running and "?tab=results" not in running
    arena.run()
    done = _page(None, made, "")
    assert done.index("?tab=results") < done.index("?tab=overview")
    assert 'class="podium"' in done
    last = made.entries.select_related("user").order_by("-place")[0]
    overview = _page(last.user, made, "?tab=overview")
    assert "Place 4 of 4." in overview
    assert "won 0" not in overview
    assert "of 4</small>" not in overview


def test_a_tournament_started_by_hand_shows_its_start_time() -> None:
    planned = timezone.now() + timedelta(days=1)
    made = cast.started(2, start="scheduled", starts_at=planned, players_min=2)
    assert made.started_ms is not None
    assert queries.summary(made).starts_at_ms == made.started_ms
    assert made.started_ms < planned.timestamp() * 1_000
