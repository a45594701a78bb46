"""Hands of a research room: dealt from the seed of their game, without seal, call, cut and log."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from django.conf import settings
from redis import Redis

from accounts.users import bots
from tables.dealer import hiding
from tables.dealer.seeded import seeded_deck
from tables.dealer.state import TableState
from tables.engine.cards import DECK
from tables.fairlog.models import LogLeaf
from tables.models import Hand, SealedDeck, Seat, Table
from tables.monitor import seals
from tables.records import stored
from tables.seeds import marking
from tables.seeds.models import GameSeed
from tables.store import fenced, keys
from tables.workers import advance, recovery
from tests.redis_answers import events_of
from tests.tables import playing
from tests.tables.seeds.research_room import forget, research_room

pytestmark = pytest.mark.django_db(transaction=True)

SEED = 20_261_125


@pytest.fixture
def research() -> Iterator[None]:
    """A research room."""
    with research_room():
        yield


def _sit_down(game: int, number: int = 1, seats: int = 3) -> Table:
    """A table of a game with bots at its seats, before its first hand."""
    playing.registered(playing.NAME, playing.LastOneWins)
    table = Table.objects.create(director=playing.NAME, game=game, number=number, seats_max=seats)
    Seat.objects.bulk_create(
        Seat(
            table=table,
            seat=seat,
            entry=table.pk * 100 + seat,
            user=bot,
            name=bot.name,
            chips=900,
            bank_ms=0,
        )
        for seat, bot in enumerate(bots.create(seats), start=1)
    )
    return table


def _play(room: Redis, table: Table, hands: int) -> list[tuple[str, ...]]:
    """Play hands with calls alone; return their decks, read from their records."""
    recovery.open_tables(room, [table.pk])
    while Hand.objects.filter(table=table).count() < hands:
        state = playing.run(room, table.pk)
        assert state.phase == "hand", "the table closed before"
        playing.check_or_call(room, state)
        advance.advance(room, table.pk)
        playing.run(room, table.pk)
    rows = Hand.objects.filter(table=table).order_by("number")[:hands]
    return [stored.decode(bytes(row.record)).setup.deck for row in rows]


def test_hands_follow_from_the_seed_and_have_no_seal(room: Redis, research: None) -> None:
    marking.give_seed(playing.NAME, 5, SEED)
    table = _sit_down(5)
    decks = _play(room, table, 2)
    assert decks == [seeded_deck(DECK, SEED, 1, hand) for hand in (1, 2)]
    assert not SealedDeck.objects.exists() and not LogLeaf.objects.exists()
    assert all(stored.decode(bytes(row.record)).called is None for row in Hand.objects.all())
    assert list(seals.violations()) == []
    told = events_of(room, keys.events(keys.table(table.pk), 1))
    types = {msgspec.json.decode(line)["type"] for line in told}
    assert "hand_began" in types
    assert not types & {"cut_called", "deck_cut", "deck_opened", "deck_sealed"}
    assert not any(str(SEED).encode() in line for line in told)


def test_equal_seeds_deal_equal_hands_and_others_do_not(room: Redis, research: None) -> None:
    for game, seed in ((5, SEED), (6, SEED), (7, SEED + 1)):
        marking.give_seed(playing.NAME, game, seed)
    one, again, other = (_play(room, _sit_down(game), 2) for game in (5, 6, 7))
    assert one == again
    assert not set(one) & set(other)
    assert len(set(one)) == 2


def test_tables_of_a_game_have_different_decks(room: Redis, research: None) -> None:
    first, second = (_play(room, _sit_down(5, number), 1) for number in (1, 2))
    assert first != second


def test_the_draw_for_the_button_tells_nothing_of_the_deck(room: Redis, research: None) -> None:
    marking.give_seed(playing.NAME, 5, SEED)
    table = _sit_down(5)
    _play(room, table, 1)
    lines = events_of(room, keys.events(keys.table(table.pk), 1))
    [drawn] = [
        event for line in lines if (event := msgspec.json.decode(line))["type"] == "button_drawn"
    ]
    first = seeded_deck(DECK, SEED, 1, 1)[:3]
    assert [card for _, card in drawn["cards"]] != list(first)


def test_a_game_without_a_given_seed_draws_and_keeps_one(room: Redis, research: None) -> None:
    decks = _play(room, _sit_down(5), 1)
    kept = GameSeed.objects.get()
    assert (kept.director, kept.game) == (playing.NAME, 5)
    assert decks == [seeded_deck(DECK, kept.seed, 1, 1)]


def test_a_void_hand_is_dealt_again_from_the_same_seed(room: Redis, research: None) -> None:
    marking.give_seed(playing.NAME, 5, SEED)
    table = _sit_down(5)
    recovery.open_tables(room, [table.pk])
    assert playing.run(room, table.pk).phase == "hand"
    assert recovery.rebuild(room, table.pk, seen_epoch=1)
    again = playing.run(room, table.pk)
    assert again.epoch == 2 and again.setup is not None
    assert again.setup.deck == seeded_deck(DECK, SEED, 1, 1)


def test_no_seed_can_be_read_from_an_open_state(room: Redis, research: None) -> None:
    marking.give_seed(playing.NAME, 5, SEED)
    table = _sit_down(5)
    recovery.open_tables(room, [table.pk])
    state = playing.run(room, table.pk)
    assert state.seed == str(SEED)
    public, hidden = hiding.hide(state)
    assert hidden is not None and hiding.reveal(public, hidden) == state
    assert public.seed == "??" and str(SEED) not in repr(public)
    raw = repr(room.hgetall(keys.state(keys.table(table.pk), settings.SHARDS)))
    assert "state" in raw and str(SEED) not in raw


def test_a_process_that_was_there_before_the_mark_deals_from_the_seed(room: Redis) -> None:
    """No table existed before the mark, so no process has read of no mark for one."""
    forget()
    with research_room():
        marking.give_seed(playing.NAME, 5, SEED)
        assert _play(room, _sit_down(5), 1) == [seeded_deck(DECK, SEED, 1, 1)]


def test_the_auditor_finds_a_hand_that_was_sealed_in_a_research_room(
    room: Redis, research: None
) -> None:
    table = _sit_down(5)
    SealedDeck.objects.create(table=table, epoch=1, hand=1, seal=b"s", sealed_ms=1, fate=1)
    assert list(seals.violations()) == [
        f"table {table.pk} hand 1 was sealed in a research room, which deals from seeds"
    ]


def test_rooms_without_the_mark_seal_as_before(room: Redis) -> None:
    forget()
    table = _sit_down(5)
    _play(room, table, 1)
    assert SealedDeck.objects.filter(table=table).exists() and not GameSeed.objects.exists()
    state: TableState | None = fenced.peek(room, table.pk)
    assert state is not None and state.seed == ""
