"""Duplicate deals of a research room: the same decks from every seat, rated as one game."""

from __future__ import annotations

import random
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from redis import Redis

from accounts.users import bots
from config.refusals import Refusal
from tables.dealer.record import HandRecord
from tables.dealer.seeded import seeded_deck
from tables.engine.cards import DECK
from tables.models import Hand, SealedDeck, Seat, Table
from tables.records import stored
from tables.seeds import marking
from tables.seeds.models import GameSeed
from tables.workers import advance
from tests.tables import playing
from tests.tables.seeds.research_room import research_room
from tests.tournaments.bot_ladder.room import ladder, over, template
from tests.tournaments.cast import at_once
from tests.tournaments.seasons.cast import finished
from tournaments import locks
from tournaments.bot_ladder.models import BotLadder, RatedBot, RatedGame, RatedResult
from tournaments.bot_ladder.rating import Ratings
from tournaments.bot_ladder.terms import validate_duplicates
from tournaments.duplicates.models import DuplicateGame, DuplicateSet
from tournaments.duplicates.rotation import mean_places
from tournaments.entries import registration
from tournaments.models import Entry, Template, Tournament
from tournaments.running import duplicates, operations, rulings, series
from tournaments.running.tasks import tick

pytestmark = pytest.mark.django_db(transaction=True)

BOTS = 3


@pytest.fixture
def research(house: Redis) -> Iterator[Redis]:
    """A research room."""
    with research_room():
        yield house


def _duplicates(**offer: Any) -> tuple[Template, BotLadder]:
    made = template(schedule="refill", starting_stack=400, **offer)
    board = ladder(made)
    validate_duplicates(board, [made])
    BotLadder.objects.filter(pk=board.pk).update(duplicate=True)
    board.refresh_from_db()
    return made, board


def _first(made: Template) -> Tournament:
    """The open Sit & Go of the template, filled by bots that registered themselves."""
    series.tick()
    tournament = made.tournaments.order_by("-pk")[0]
    for bot in bots.create(BOTS):
        registration.register(bot, tournament)
    return tournament


def _play(room: Redis, tournament: Tournament) -> list[HandRecord]:
    """Let the workers play a full Sit & Go to its end; return its hands."""
    tick(f"tournament:{tournament.pk}")
    [table] = Table.objects.filter(director=locks.DIRECTOR, game=tournament.pk)
    chance = random.Random(tournament.pk)
    for number in range(3_000):
        state = playing.run(room, table.pk)
        if state.phase == "closed":
            break
        playing.send(room, state, chance, number)
        advance.advance(room, table.pk)
    tournament.refresh_from_db()
    assert tournament.state == "finished"
    rows = Hand.objects.filter(table=table).order_by("number")
    return [stored.decode(bytes(row.record)) for row in rows]


def _seats(hands: list[HandRecord]) -> dict[int, int]:
    """User -> seat in the first hand."""
    return {seat.user: seat.seat for seat in hands[0].seats}


def test_decks_are_equal_by_hand_while_the_seats_go_round(research: Redis) -> None:
    made, board = _duplicates()
    first = _first(made)
    games = [_play(research, first)]
    assert duplicates.continue_sets() == 1
    for _ in range(BOTS - 1):
        coming = DuplicateGame.objects.order_by("-shift")[0].tournament
        assert coming.entrants == BOTS and coming.template_id is None
        games.append(_play(research, coming))
        assert not RatedGame.objects.exists()
        tick("tournament:0")
    found = DuplicateSet.objects.get()
    assert [game.shift for game in found.games.all()] == [0, 1, 2]
    assert not found.ended_why and not SealedDeck.objects.exists()
    # 1. Equal cards by number of the hand, and equal buttons and seats at the start.
    [seed] = set(
        marking.seeds_of(locks.DIRECTOR, [g.tournament_id for g in found.games.all()]).values()
    )
    for hands in games:
        for hand in hands:
            assert hand.setup.deck == seeded_deck(DECK, seed, 1, hand.hand)
    assert len({hands[0].setup.positions.button for hands in games}) == 1
    # 2. Every bot has sat on every seat.
    seats = [_seats(hands) for hands in games]
    assert all(set(taken.values()) == set(found.seats) for taken in seats)
    assert all(len({taken[user] for taken in seats}) == BOTS for user in found.users)
    # 3. The set is one game of the ladder, by the mean of its places.
    places = mean_places(
        {entry.user_id: entry.place or 0 for entry in game.tournament.entries.all()}
        for game in found.games.all()
    )
    ratings = Ratings()
    ratings.rate({str(user): place for user, place in places.items()})
    board.refresh_from_db()
    assert (board.rated, RatedGame.objects.get().tournament_id) == (1, first.pk)
    results = {row.bot.user_id: row for row in RatedResult.objects.select_related("bot")}
    assert {user: row.place for user, row in results.items()} == pytest.approx(places)
    for user, row in results.items():
        assert (row.mu, row.sigma) == pytest.approx(tuple(ratings.of(str(user)))[:2])
    decisions = sum(len(hand.actions) for hands in games for hand in hands)
    assert sum(row.decisions for row in RatedBot.objects.all()) == decisions
    tick("tournament:0")
    assert DuplicateGame.objects.count() == BOTS and RatedGame.objects.count() == 1


def test_sets_that_are_played_are_read_no_more(research: Redis) -> None:
    made, _board = _duplicates()

    def statements() -> int:
        with CaptureQueriesContext(connection) as asked:
            assert duplicates.continue_sets() == 0
        return len(asked)

    before = statements()
    names = [bot.name for bot in bots.create(BOTS)]
    for _ in range(3):
        played = DuplicateSet.objects.create(seats=[1, 2, 3], users=[1, 2, 3])
        for shift in range(BOTS):
            game = over(made, *names) if shift == 0 else finished(*names)
            DuplicateGame.objects.create(duplicates=played, shift=shift, tournament=game)
    assert statements() == before


def test_workers_at_once_open_one_game(research: Redis) -> None:
    made, _board = _duplicates()
    _play(research, _first(made))
    at_once(*[duplicates.continue_sets] * 4)
    duplicates.continue_sets()
    assert [game.shift for game in DuplicateGame.objects.all()] == [0, 1]


def test_a_game_that_ends_before_its_first_hand_holds_up_no_other(research: Redis) -> None:
    made, _board = _duplicates()
    empty = _first(made)
    tick(f"tournament:{empty.pk}")
    for entry in Entry.objects.filter(tournament=empty).order_by("pk")[1:]:
        rulings.disqualify(entry.pk, actor=None, reason="test")
    [table] = Table.objects.filter(director=locks.DIRECTOR, game=empty.pk)
    for _ in range(9):
        playing.run(research, table.pk)
        advance.advance(research, table.pk)
        tick(f"tournament:{empty.pk}")
    empty.refresh_from_db()
    assert empty.state == "finished" and not Hand.objects.exists()
    _play(research, _first(made))
    assert duplicates.continue_sets() == 1
    assert not DuplicateGame.objects.filter(tournament=empty).exists()


def test_the_seats_of_a_set_exist_where_a_bot_left_before_the_first_hand(research: Redis) -> None:
    made, _board = _duplicates()
    first = _first(made)
    tick(f"tournament:{first.pk}")
    lowest = Seat.objects.filter(table__game=first.pk).order_by("seat")[0]
    rulings.disqualify(lowest.entry, actor=None, reason="test")
    order = [seat.user for seat in sorted(_play(research, first)[0].seats, key=lambda s: s.seat)]
    assert duplicates.continue_sets() == 1
    assert DuplicateSet.objects.get().users == order
    coming = DuplicateGame.objects.get(shift=1).tournament
    tick(f"tournament:{coming.pk}")
    [table] = Table.objects.filter(director=locks.DIRECTOR, game=coming.pk)
    seats = dict(Seat.objects.filter(table=table).order_by("seat").values_list("seat", "user"))
    assert (table.seats_max, seats) == (2, {1: order[1], 2: order[0]})


def test_a_set_with_a_cancelled_game_ends_and_is_not_rated(research: Redis) -> None:
    made, _board = _duplicates()
    _play(research, _first(made))
    duplicates.continue_sets()
    operations.cancel(DuplicateGame.objects.get(shift=1).tournament_id, reason="test")
    tick("tournament:0")
    assert DuplicateSet.objects.get().ended_why == duplicates.CANCELLED
    tick("tournament:0")
    assert DuplicateGame.objects.count() == 2 and not RatedGame.objects.exists()


def test_a_set_whose_bots_cannot_pay_ends_with_the_reason(research: Redis) -> None:
    made, _board = _duplicates(buy_in=600_000)
    _play(research, _first(made))
    before = Tournament.objects.count()
    assert duplicates.continue_sets() == 0
    assert "account holds" in DuplicateSet.objects.get().ended_why
    assert Tournament.objects.count() == before, "a game that cannot begin leaves nothing"
    seeded = GameSeed.objects.values_list("director", "game")
    assert list(seeded) == [(locks.DIRECTOR, DuplicateGame.objects.get().tournament_id)]


@pytest.mark.parametrize(
    "offer",
    [
        {"start": "scheduled"},
        {"entries_max": 2},
        {"rebuys_max": 1},
        {"add_on": True},
        {"players_min": 9, "players_max": 9},
        {"format": "shootout"},
    ],
)
def test_templates_of_other_games_are_refused(research: Redis, offer: dict[str, Any]) -> None:
    board = ladder(template(**offer))
    board.duplicate = True
    with pytest.raises(Refusal) as refused:
        validate_duplicates(board, board.templates.all())
    assert refused.value.code == "not_for_duplicates"


def test_a_room_without_the_mark_plays_no_duplicates(house: Redis) -> None:
    made = template(schedule="refill")
    board = ladder(made)
    board.duplicate = True
    with pytest.raises(Refusal) as refused:
        validate_duplicates(board, [made])
    assert refused.value.code == "not_research"
    BotLadder.objects.update(duplicate=True)
    assert duplicates.continue_sets() == 0 and not DuplicateSet.objects.exists()


def test_a_ladder_with_rated_games_keeps_its_way_of_dealing(research: Redis) -> None:
    board = ladder(template())
    BotLadder.objects.update(rated=1)
    board.refresh_from_db()
    board.duplicate = True
    with pytest.raises(Refusal) as refused:
        validate_duplicates(board, board.templates.all())
    assert refused.value.code == "duplicates_fixed"


def test_the_data_card_lists_the_seeds_and_promises_no_proof(
    research: Redis, tmp_path_factory: pytest.TempPathFactory
) -> None:
    made, _board = _duplicates()
    first = _first(made)
    _play(research, first)
    out = tmp_path_factory.mktemp("data") / "set"
    call_command("dataset", "--out", str(out), stdout=StringIO())
    card = (out / "DATA_CARD.md").read_text()
    [seed] = marking.seeds_of(locks.DIRECTOR, [first.pk]).values()
    assert f"{first.pk}: {seed}" in card and "no hand has a proof" in card
    lines = next((out / "ndjson").rglob("*.ndjson")).read_text()
    assert '"_research": true' in lines or '"_research":true' in lines
