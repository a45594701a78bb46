"""Ladders of a room rate each finished tournament once, from its places, when it may be told."""

from __future__ import annotations

from datetime import timedelta

import msgspec
import pytest
from django.utils import timezone
from redis import Redis

from accounts.users import bots
from tables.models import Hand
from tables.records import stored
from tests.tournaments.bot_ladder.room import ladder, over, template
from tests.tournaments.cast import Arena, at_once
from tests.tournaments.club_scene import make_club
from tournaments.bot_ladder.faults import decision_counts
from tournaments.bot_ladder.models import BotLadder, RatedBot, RatedGame, RatedResult
from tournaments.bot_ladder.rating import Ratings
from tournaments.bot_ladder.settled import rate_finished, rate_ladders
from tournaments.entries import registration
from tournaments.models import Template, Tournament
from tournaments.running import operations, series
from tournaments.running.tasks import tick

pytestmark = pytest.mark.django_db(transaction=True)


def _refilled(made: Template) -> Tournament:
    """The next Sit & Go of a template, filled, played to its end and settled."""
    series.tick()
    tournament = made.tournaments.order_by("-pk")[0]
    for bot in bots.create(3):
        registration.register(bot, tournament)
    operations.start(tournament.pk)
    Arena(tournament.pk, seed=2).run()
    tournament.refresh_from_db()
    assert tournament.state == "finished"
    return tournament


def _ratings(made: BotLadder) -> dict[str, tuple[float, float, int]]:
    rows = RatedBot.objects.filter(ladder=made)
    return {row.user.name: (row.mu, row.sigma, row.games) for row in rows}


def test_sit_and_gos_that_refill_are_rated_once_each_by_the_schedule(house: Redis) -> None:
    made = template(schedule="refill")
    board = ladder(made)
    first, second = _refilled(made), _refilled(made)
    for _ in range(2):
        tick("tournament:0")
    games = RatedGame.objects.order_by("number").values_list("number", "tournament", "players")
    assert list(games) == [(1, first.pk, 3), (2, second.pk, 3)]
    ratings = Ratings()
    for tournament in (first, second):
        places = tournament.entries.values_list("name", "place")
        ratings.rate({name: place for name, place in places if place is not None})
    assert _ratings(board) == {name: tuple(ratings.of(name)) for name in ratings.ranking()}
    assert made.tournaments.count() == 3, "the next one is open"
    hands = [bytes(row) for row in Hand.objects.values_list("record", flat=True)]
    actions = sum(len(stored.decode(hand).actions) for hand in hands)
    assert sum(row.decisions for row in RatedBot.objects.all()) == actions > 0
    assert sum(row.decisions for row in RatedResult.objects.all()) == actions


def test_workers_that_rate_at_once_rate_each_game_once(house: Redis) -> None:
    made = template()
    board = ladder(made)
    for names in (("bot-a", "bot-b"), ("bot-b", "bot-c"), ("bot-c", "bot-a", "bot-b")):
        over(made, *names)
    at_once(*[lambda: rate_finished(board.pk)] * 4)
    rate_finished(board.pk)
    board.refresh_from_db()
    assert board.rated == RatedGame.objects.count() == 3
    assert {name: row[2] for name, row in _ratings(board).items()} == {
        "bot-a": 2,
        "bot-b": 3,
        "bot-c": 2,
    }
    last = {row.bot_id: (row.mu, row.sigma) for row in RatedResult.objects.order_by("game")}
    assert last == {row.pk: (row.mu, row.sigma) for row in RatedBot.objects.all()}


def test_a_result_that_may_not_be_told_yet_is_not_rated(house: Redis) -> None:
    made = template(schedule="refill")
    board = ladder(made)
    played = _refilled(made)
    over(made, "bot-a", "bot-b")
    (last,) = Hand.objects.filter(table__game=played.pk).order_by("-number")[:1]
    released = Hand.objects.filter(pk=last.pk)
    released.update(released_at=timezone.now() + timedelta(minutes=1))
    Tournament.objects.filter(pk=played.pk).update(finished_at=timezone.now() - timedelta(hours=2))
    assert rate_finished(board.pk) == 0
    assert not RatedGame.objects.exists() and not RatedBot.objects.exists()
    released.update(released_at=timezone.now() - timedelta(seconds=1))
    assert rate_finished(board.pk) == 2


def test_other_tournaments_than_those_of_bots_that_everybody_sees_are_not_rated(
    house: Redis,
) -> None:
    made, club = template(), make_club()
    board, other = ladder(made), ladder(template("Other"), name="Other")
    over(made, "bot-a", "bot-b", bots="allowed")
    over(made, "bot-a", "bot-b", password_hash="hash")
    over(made, "bot-a", "bot-b", club=club, watched_by="members", entered_by="members")
    running = over(made, "bot-a", "bot-b")
    for state in ("running", "cancelled"):
        Tournament.objects.filter(pk=running.pk).update(state=state)
        assert rate_ladders() == 0
    BotLadder.objects.update(is_open=False)
    Tournament.objects.filter(pk=running.pk).update(state="finished")
    assert rate_ladders() == 0 and not RatedGame.objects.exists()
    BotLadder.objects.update(is_open=True)
    assert rate_ladders() == 1
    assert _ratings(board) and not _ratings(other)


def test_a_ladder_that_fails_holds_up_no_other(house: Redis) -> None:
    made = template()
    broken, board = ladder(made, name="Broken"), ladder(made)
    game = over(made, "bot-a", "bot-b")
    # The number that the broken ladder gives next is taken.
    other = over(template("Other"), "bot-c", "bot-d")
    RatedGame.objects.create(ladder=broken, tournament=other, number=1, players=2)
    assert rate_ladders() == 1
    assert [row.tournament_id for row in RatedGame.objects.filter(ladder=board)] == [game.pk]
    assert not _ratings(broken)


def test_of_several_entries_of_a_bot_the_best_one_counts(house: Redis) -> None:
    made = template()
    board = ladder(made)
    over(made, "bot-a", "bot-b", "bot-a")
    rate_finished(board.pk)
    places = RatedResult.objects.values_list("bot__user__name", "place")
    assert dict(places) == {"bot-a": 1, "bot-b": 2}
    assert RatedGame.objects.get().players == 2


def test_decisions_of_the_room_are_counted_by_their_origin(house: Redis) -> None:
    made = template(schedule="refill")
    _refilled(made)
    kept = stored.decode(bytes(Hand.objects.order_by("pk")[0].record))
    origins = ("time_out", "disconnected", "absent")
    notes = tuple(
        msgspec.structs.replace(note, made_by=origin)
        for note, origin in zip(kept.notes, origins, strict=False)
    )
    changed = stored.encode(msgspec.structs.replace(kept, notes=notes + kept.notes[len(notes) :]))
    counts = decision_counts([changed])
    users = {seat.seat: seat.user for seat in kept.seats}
    columns = ("time_outs", "crashes", "missed")
    for played, column in zip(kept.actions[: len(notes)], columns, strict=False):
        assert counts[users[played.seat]][column] == 1
    assert sum(row["decisions"] for row in counts.values()) == len(kept.actions)
    assert sum(row[column] for row in counts.values() for column in columns) == len(notes)
    older = stored.encode(msgspec.structs.replace(kept, notes=()))
    assert decision_counts([older]) == {}


def test_a_damaged_record_holds_up_no_rating(house: Redis) -> None:
    made = template(schedule="refill")
    ladder(made)
    _refilled(made)
    bad = Hand.objects.order_by("pk")[0]
    Hand.objects.filter(pk=bad.pk).update(record=bytes(bad.record)[:-9] + bytes(9))
    assert rate_ladders() == 1
    rest = sum(hand.actions for hand in Hand.objects.exclude(pk=bad.pk))
    assert sum(row.decisions for row in RatedBot.objects.all()) == rest > 0
