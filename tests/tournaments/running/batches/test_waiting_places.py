"""Places that waited for the end of sales: given in batches of ticks, resumed after deaths."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import msgspec
import pytest
from django.db import connection
from django.utils import timezone
from redis import Redis

from accounts.ledger import transfers
from accounts.models import Transfer, User
from config import clock
from tables.models import Seat
from tests.tournaments.cast import at_once, law
from tests.tournaments.events.announced import events_of_type
from tests.tournaments.running.batches import batch_cast
from tests.tournaments.running.batches.batch_cast import (
    PLAYERS,
    WorkerDiedError,
    balances,
    make_all,
    stopped,
    times_told,
    undone,
)
from tournaments.buying import offers
from tournaments.events import bells
from tournaments.events.unit_of_work import TournamentTransaction, tournament_transaction
from tournaments.models import Entry, KnockOut, Offer, Tournament
from tournaments.monitor import audit
from tournaments.prizes import money, placing
from tournaments.running import batches, operations, sales, settlement, tasks, tick
from tournaments.seating import hand_for_hand

Outcome = tuple[list[list[int | None]], list[tuple[int, int | None, int]], dict[int, int]]

LEFT = 3
OUT = PLAYERS - LEFT


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    batch_cast.make_small(monkeypatch)
    monkeypatch.setattr(batches, "ENTRIES", 1)
    monkeypatch.setattr(batches, "LOOKED_AT", 3)


def _waiting(seed: int) -> tuple[Tournament, list[User]]:
    """Three of seven are left as late registration ends; five places are paid."""
    shares = [{"fewest": 2, "most": 100, "shares": [3_000, 2_500, 2_000, 1_500, 1_000]}]
    tournament, players = stopped(
        seed,
        LEFT,
        start="scheduled",
        starts_at=timezone.now() + timedelta(hours=1),
        players_max=20,
        late_ends="at_left",
        late_value=1,
        bubble_places=0,
        bubble_final=0,
        payout_table=shares,
    )
    assert tournament.pool is None and tournament.left == LEFT
    Tournament.objects.filter(pk=tournament.pk).update(late_value=LEFT)
    return tournament, players


def _placed() -> int:
    return KnockOut.objects.filter(placed=True).count()


def _held() -> dict[int, int]:
    return {account: held for account, held in balances().items() if held}


def _results(tournament: Tournament) -> list[tuple[int, int | None, int]]:
    return list(tournament.entries.order_by("pk").values_list("pk", "place", "prize"))


@pytest.mark.rule("E-07")
@pytest.mark.rule("T-07")
@pytest.mark.parametrize("seed", range(2))
def test_batches_give_the_places_and_prizes_that_one_transaction_gives(
    house: Redis, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    tournament, players = _waiting(seed)
    with undone(), monkeypatch.context() as large:
        large.setattr(batches, "ENTRIES", 100)
        tick.tick(tournament.pk)
        assert _placed() == OUT
        expected = _results(tournament), _held()
    given = []
    for _ in range(3):
        tasks.tick(tournament.member)
        given.append(_placed())
        assert audit.audit_tournaments() == []
        due_ms = (bells.due(tournament.pk) or 0) - bells._now_ms(house, tournament.pk)
        assert (due_ms <= batches.NEXT_MS) == (_placed() < OUT)
    assert given == [2, 3, 4], "two without a prize, then one with a prize at a time"
    assert (_results(tournament), _held()) == expected
    assert sum(times_told(players, "prize")) == 2
    assert Transfer.objects.filter(key__startswith=f"prize:{tournament.pk}:").count() == 2
    law(tournament.pk)


@pytest.mark.rule("E-07")
@pytest.mark.rule("Z-04")
def test_every_prize_of_a_place_that_waited_is_told_on_the_stream_once(house: Redis) -> None:
    tournament, _ = _waiting(1)
    assert set(_announced(tournament, "player_out")) == {(None, 0)}
    for _ in range(OUT):
        tick.tick(tournament.pk)
    waited = [(place, prize) for _, place, prize in _results(tournament) if place and prize]
    assert sorted(_announced(tournament, "player_placed")) == sorted(waited)
    assert len(waited) == 2


@pytest.mark.rule("Z-04")
@pytest.mark.parametrize("entries", [1, 100])
def test_the_prize_of_an_entry_that_goes_out_is_told_once_while_others_wait(
    house: Redis, monkeypatch: pytest.MonkeyPatch, entries: int
) -> None:
    monkeypatch.setattr(batches, "ENTRIES", entries)
    tournament, _ = _waiting(1)
    Tournament.objects.filter(pk=tournament.pk).update(entries_open=False)
    entry = _go_out(tournament)
    assert (entry.place, entry.prize > 0) == (3, True)
    assert _announced(tournament, "player_out")[-1] == (3, entry.prize)
    for _ in range(OUT + 1):
        tick.tick(tournament.pk)
    assert [place for place, _ in sorted(_announced(tournament, "player_placed"))] == [4, 5]


@pytest.mark.rule("E-03")
def test_where_a_player_may_have_several_entries_at_once_all_get_their_places_at_once(
    house: Redis,
) -> None:
    tournament, _ = _waiting(1)
    Tournament.objects.filter(pk=tournament.pk).update(entries_max=2, several_at_once=True)
    tick.tick(tournament.pk)
    assert _placed() == OUT
    law(tournament.pk)


def test_two_ticks_at_once_give_each_place_once(house: Redis) -> None:
    tournament, players = _waiting(1)
    for _ in range(OUT):
        at_once(*[partial(tick.tick, tournament.pk)] * 2)
    assert sorted(place for _, place, _ in _results(tournament) if place) == [4, 5, 6, 7]
    assert sum(times_told(players, "prize")) == 2 and _placed() == OUT
    law(tournament.pk)


@pytest.mark.parametrize("after", range(3))
def test_places_go_on_after_a_death_between_any_two_batches(house: Redis, after: int) -> None:
    tournament, players = _waiting(1)
    for _ in range(after):
        tick.tick(tournament.pk)
    had = _results(tournament), balances(), _placed()
    with pytest.raises(WorkerDiedError):
        _die(tournament, settlement.review_prizes)
    assert (_results(tournament), balances(), _placed()) == had, "nothing of the batch counts"
    bells.cancel(tournament.pk)
    bells.ensure_all()
    for _ in range(OUT):
        tasks.tick(tournament.member)
    assert _placed() == OUT and sum(times_told(players, "prize")) == 2
    law(tournament.pk)


@pytest.mark.rule("E-07")
def test_places_are_given_where_more_are_left_than_win(
    house: Redis,
) -> None:
    tournament, players = _waiting(1)
    winner_takes_all = [{"fewest": 2, "most": 100, "shares": [10_000]}]
    Tournament.objects.filter(pk=tournament.pk).update(payout_table=winner_takes_all)
    given = []
    for _ in range(2):
        tick.tick(tournament.pk)
        given.append(_placed())
    assert given == [3, OUT] and sum(times_told(players, "prize")) == 0


@pytest.mark.rule("E-07")
@pytest.mark.rule("T-07")
@pytest.mark.parametrize("ticks", range(4))
@pytest.mark.parametrize("outs", [1, 2])
def test_an_entry_out_between_two_batches_is_told_its_place_at_once(
    house: Redis, monkeypatch: pytest.MonkeyPatch, ticks: int, outs: int
) -> None:
    tournament, players = _waiting(1)

    def play(before: int) -> Outcome:
        for _ in range(before):
            tick.tick(tournament.pk)
        for _ in range(outs):
            _go_out(tournament)
        told = [_told(player) for player in players]
        for _ in range(20):
            assert connection.in_atomic_block or audit.audit_tournaments() == []
            tick.tick(tournament.pk)
        return told, _results(tournament), _held()

    with undone(), monkeypatch.context() as large:
        large.setattr(batches, "ENTRIES", 100)
        expected = play(min(ticks, 1))
    assert play(ticks) == expected
    places = sorted(place for told in expected[0] for place in told if place)
    assert places == [2, 3][-outs:], "those that went out before the end of sales were told none"
    assert {place for _, place, _ in expected[1]} >= set(range(places[0], PLAYERS + 1))
    law(tournament.pk)


@pytest.mark.rule("T-07")
@pytest.mark.parametrize("ticks", range(3))
def test_all_places_given_at_once_are_those_of_batches(
    house: Redis, monkeypatch: pytest.MonkeyPatch, ticks: int
) -> None:
    tournament, players = _waiting(1)

    def play(before: int) -> tuple[object, ...]:
        for _ in range(before):
            tick.tick(tournament.pk)
        _go_out(tournament)
        with tournament_transaction(tournament.pk) as tx:  # as a worker of the release before does
            placing.pay(tx, placing.place(tx))
        return _results(tournament), _held(), times_told(players, "prize")

    with undone(), monkeypatch.context() as large:
        large.setattr(batches, "ENTRIES", 100)
        expected = play(min(ticks, 1))
    assert play(ticks) == expected
    law(tournament.pk)


@pytest.mark.rule("T-12")
def test_a_refund_between_two_batches_gives_everything_back(house: Redis) -> None:
    tournament, players = _waiting(1)
    tick.tick(tournament.pk)
    assert _placed() == 2
    operations.cancel(tournament.pk, reason="flood")
    make_all(tournament)
    assert [place for _, place, _ in _results(tournament)] == [None] * PLAYERS
    assert times_told(players, "tournament_cancelled") == [1] * PLAYERS
    assert transfers.balance(money.pool(tournament)) == 0
    law(tournament.pk)


@pytest.mark.rule("E-04")
@pytest.mark.rule("E-07")
@pytest.mark.parametrize(
    ("nth", "more", "place"),
    [*((nth, None, PLAYERS - nth) for nth in range(OUT)), (1, -1, 5), (1, 0, 5), (1, 1, 6)],
)
def test_a_declined_offer_that_ends_the_sales_tells_the_place_at_once(
    house: Redis, monkeypatch: pytest.MonkeyPatch, nth: int, more: int | None, place: int
) -> None:
    tournament, _ = _waiting(1)
    own, *later = KnockOut.objects.order_by("order", "pk")[nth:]
    entry = own.entry
    if more is not None:  # the next one went out in the same hand, with a stack larger by so much
        later[0].order, later[0].stack = own.order, own.stack + more
        later[0].save()
    offer = _held_in(tournament, entry)

    def play() -> Outcome:
        tick.tick(tournament.pk)
        assert _placed() == 0, "the offer is open"
        bells.schedule(tournament.pk, 60_000)
        sales.answer(entry.user, offer.pk, buy=False)
        due_ms = (bells.due(tournament.pk) or 0) - bells._now_ms(house, tournament.pk)
        assert connection.in_atomic_block or due_ms <= batches.NEXT_MS
        told = _told(entry.user)
        for _ in range(OUT):
            tick.tick(tournament.pk)
        return [told], _results(tournament), _held()

    with undone(), monkeypatch.context() as large:
        large.setattr(batches, "ENTRIES", 100)
        expected = play()
    assert play() == expected
    assert expected[0][0][-1] == place
    law(tournament.pk)


@pytest.mark.rule("T-09")
def test_the_first_round_of_hand_for_hand_begins_when_these_places_are_given(house: Redis) -> None:
    tournament, _ = _waiting(1)
    tick.tick(tournament.pk)
    Tournament.objects.filter(pk=tournament.pk).update(hand_for_hand=True)
    assert [_advanced(tournament), _placed()] == [False, 2]
    for _ in range(2):
        tick.tick(tournament.pk)
    assert [_advanced(tournament), _placed()] == [True, OUT]
    Tournament.objects.filter(pk=tournament.pk).update(hand_for_hand=True, round_open=True)
    _go_out(tournament)
    assert (tick.tick(tournament.pk) or 0) > batches.NEXT_MS, "a round is not waited for by ticks"
    assert _placed() == OUT


def _announced(tournament: Tournament, kind: str) -> list[tuple[int | None, int]]:
    """Places and prizes in the events of one type on the tournament's stream, in order."""
    events = map(msgspec.json.decode, events_of_type(tournament.member, kind))
    return [(event["place"], event["prize"]) for event in events]


def _told(player: User) -> list[int | None]:
    """Places in the notices that told a player of being out."""
    told = events_of_type(f"user:{player.pk}", "knocked_out")
    return [msgspec.json.decode(event)["place"] for event in told]


def _held_in(tournament: Tournament, entry: Entry) -> Offer:
    """Let an entry that went out before wait for the answer to an offer."""
    Entry.objects.filter(pk=entry.pk).update(state=Entry.State.PENDING)
    Tournament.objects.filter(pk=tournament.pk).update(left=LEFT + 1, late_value=LEFT + 1)
    tournament.refresh_from_db()
    offer = offers.rebuy(tournament, entry, clock.database_now_ms() + 60_000)
    offer.save()
    return offer


def _go_out(tournament: Tournament) -> Entry:
    """Knock out one of the entries left, whose chips another one gets."""
    seat, heir = Seat.objects.order_by("pk")[:2]
    Seat.objects.filter(pk=heir.pk).update(chips=heir.chips + seat.chips)
    seat.delete()
    entry = Entry.objects.get(pk=seat.entry)
    with tournament_transaction(tournament.pk) as tx:
        tx.tournament.knocked_out += 1
        KnockOut.objects.create(
            tournament=tournament,
            entry=entry,
            order=tx.tournament.knocked_out,
            round=0,
            table_id=seat.table_id,
            hand=1,
            stack=seat.chips,
            button_distance=1,
        )
        settlement.go_out(tx, [entry])
    entry.refresh_from_db()
    return entry


def _advanced(tournament: Tournament) -> bool:
    with tournament_transaction(tournament.pk) as tx:
        return hand_for_hand.advance(tx)


def _die(tournament: Tournament, batch: Callable[[TournamentTransaction], object]) -> None:
    with tournament_transaction(tournament.pk) as tx:
        batch(tx)
        raise WorkerDiedError
