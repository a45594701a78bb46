"""Ends of large fields: prizes in batches, resumed after deaths."""

from __future__ import annotations

import pytest
from django.db.models import F
from django.test import Client
from django.urls import reverse
from redis import Redis

from accounts.ledger import transfers
from accounts.models import Transfer, User
from tables.models import Table
from tests.samples import size
from tests.tournaments.cast import Arena, at_once, law
from tests.tournaments.events.announced import event_types
from tests.tournaments.prizes.satellite_events import satellite, target
from tests.tournaments.running.batches import batch_cast
from tests.tournaments.running.batches.batch_cast import (
    BOUNTIES,
    balances,
    die_and_go_on,
    due,
    make_all,
    settle_and_wait,
    stopped,
    times_told,
    undone,
)
from tests.tournaments.running.finished import assert_finished
from tournaments.entries import deletion, privacy
from tournaments.models import Entry, Ticket, Tournament
from tournaments.monitor import audit, report
from tournaments.prizes import money
from tournaments.queries import overview
from tournaments.running import batches, paying, tick
from tournaments.seasons.models import Achievement


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    batch_cast.make_small(monkeypatch)
    monkeypatch.setattr(batches, "ENTRIES", 2)
    monkeypatch.setattr(batches, "LOOKED_AT", 3)


@pytest.mark.rule("Z-04")
@pytest.mark.parametrize("options", [{}, BOUNTIES, BOUNTIES | {"bounties_at_end": True}])
@pytest.mark.parametrize("seed", range(size(2, 8)))
def test_batches_pay_the_prizes_that_one_transaction_pays(
    house: Redis, monkeypatch: pytest.MonkeyPatch, options: dict[str, object], seed: int
) -> None:
    tournament, players = stopped(seed, **options)
    expected = _at_once(tournament, monkeypatch)
    _end(tournament)
    assert (tournament.state, tournament.paying) == ("finished", 0)
    given = list(tournament.entries.order_by("pk").values_list("place", "prize"))
    batch_ends = [0]
    while tick.tick(tournament.pk) == batches.NEXT_MS:
        assert audit.audit_tournaments() == []
        tournament.refresh_from_db()
        assert tournament.paying is not None, "a batch is left"
        batch_ends.append(tournament.paying)
    assert batch_ends == sorted(batch_ends) and len(set(batch_ends)) > 2
    assert balances() == expected, "each account holds the same to the cent"
    assert given == list(tournament.entries.order_by("pk").values_list("place", "prize"))
    won = tournament.entries.filter(prize__gt=0).count()
    assert won and sum(times_told(players, "prize")) == won
    assert event_types(tournament.member).count("finished") == 1
    assert transfers.balance(money.bounties(tournament)) == 0
    assert_finished(tournament)
    assert tick.tick(tournament.pk) is None
    law(tournament.pk)


@pytest.mark.parametrize("after", range(4))
def test_prizes_go_on_after_a_death_between_any_two_batches(
    house: Redis, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    tournament, players = stopped(3, **BOUNTIES)
    expected = _at_once(tournament, monkeypatch)
    _end(tournament)
    for _ in range(after):
        assert tick.tick(tournament.pk) == batches.NEXT_MS, "a batch is left"
    die_and_go_on(tournament, paying.pay_next)
    assert balances() == expected
    won = tournament.entries.filter(prize__gt=0).count()
    assert sum(times_told(players, "prize")) == won
    assert_finished(tournament)


def test_two_workers_pay_no_prize_twice(house: Redis) -> None:
    tournament, players = stopped(5)
    _end(tournament)
    for _ in range(8):
        answers = at_once(*[lambda: tick.tick(tournament.pk)] * 2)
        assert all(answer is None or isinstance(answer, int) for answer in answers), answers
    prizes = tournament.entries.filter(prize__gt=0).count()
    assert sum(times_told(players, "prize")) == prizes
    assert Transfer.objects.filter(key__startswith=f"prize:{tournament.pk}:").count() == prizes
    assert_finished(tournament)


def test_a_prize_paid_before_the_end_is_neither_paid_nor_told_again(house: Redis) -> None:
    shares = [{"fewest": 2, "most": 100, "shares": [3_000, 2_500, 2_000, 1_500, 1_000]}]
    tournament, players = stopped(1, 3, payout_table=shares)
    before = tournament.entries.filter(state=Entry.State.OUT, prize__gt=0).count()
    assert before and sum(times_told(players, "prize")) == before
    _end(tournament)
    make_all(tournament)
    assert set(times_told(players, "prize")) <= {0, 1}
    assert sum(times_told(players, "prize")) == tournament.entries.filter(prize__gt=0).count() > 3
    assert_finished(tournament)


def test_the_last_knock_out_wakes_the_batches_that_are_left(house: Redis) -> None:
    tournament, players = stopped(2, 1)
    assert tournament.state == "finished" and tournament.paying is not None
    assert due(tournament), "the knock-out of a hand sets the wake of the next batch"
    make_all(tournament)
    assert_finished(tournament)
    told = [times_told(players, kind) for kind in ("prize", "tournament_over")]
    assert sum(told[0]) == tournament.entries.filter(prize__gt=0).count()


def test_achievements_come_with_the_batch_of_the_entry(house: Redis) -> None:
    tournament, _ = stopped(4)
    _end(tournament)
    earned = Achievement.objects.filter(tournament=tournament)
    assert not earned.exists()
    make_all(tournament)
    winners = set(tournament.entries.filter(prize__gt=0).values_list("user", flat=True))
    first = earned.filter(kind=Achievement.Kind.FIRST_PRIZE).values_list("user", flat=True)
    assert set(first) == winners and len(first) == len(winners) > 2


@pytest.mark.rule("K-08")
def test_a_hand_settled_between_two_batches_changes_no_place(house: Redis) -> None:
    main = target(120)
    tournament = satellite(main, 12, bubble_places=0, seats_per_table=2)
    while tick.tick(tournament.pk) == batches.NEXT_MS:
        pass
    arena = Arena(tournament.pk, 5)
    while Tournament.objects.get(pk=tournament.pk).state != "finished":
        arena.step(arena.chance.choice(arena.tables()))
    given = dict(tournament.entries.values_list("pk", "place"))
    still = Table.objects.filter(status="open", granted_hand__gt=F("hand"))
    playing = list(still.values_list("pk", flat=True))
    assert playing, "a hand is in play at a table that is not closed yet"
    for table in playing:
        while arena.states[table].phase != "finished":
            arena.step(table)
    settle_and_wait(arena, playing)
    make_all(tournament)
    assert dict(tournament.entries.values_list("pk", "place")) == given
    assert Ticket.objects.filter(won_in=tournament).count() == 10
    assert_finished(tournament)


def test_the_audit_finds_a_prize_that_no_batch_paid(house: Redis) -> None:
    tournament, _ = stopped(6, **BOUNTIES)
    _end(tournament)
    assert audit.audit_tournaments() == []
    last = tournament.entries.filter(prize__gt=0).latest("pk")
    Tournament.objects.filter(pk=tournament.pk).update(paying=last.pk)
    found = audit.audit_tournaments(tournament.pk)
    assert any("the pool account holds" in one for one in found)
    assert any(f"entry {last.pk} won {last.prize} and was paid 0" in one for one in found)
    assert any("the bounty account ends with" in one for one in found)


def test_an_account_is_not_deleted_before_its_prize_has_come(house: Redis) -> None:
    tournament, players = stopped(7)
    _end(tournament)
    assert all(list(deletion.obstacles(player)) for player in players)
    assert all(privacy.plays_in(tournament.pk, player.pk) for player in players)
    make_all(tournament)
    assert not any(list(deletion.obstacles(player)) for player in players)
    assert not any(privacy.plays_in(tournament.pk, player.pk) for player in players)


def test_pages_and_reports_say_while_prizes_are_paid(house: Redis) -> None:
    tournament, _ = stopped(8)
    operator = Client()
    operator.force_login(User.objects.create_superuser("Boss", "a long password"))
    pages = [reverse(page, args=[tournament.pk]) for page in ("tournament", "cockpit")]
    pages.append(f"{pages[0]}?tab=overview")

    def say() -> list[bool]:
        return ["Prizes are being paid" in _text(operator, page) for page in pages]

    _end(tournament)
    assert say() == [True, True, True] and overview.overview(tournament).paying
    assert not report.is_right(report.build(tournament.pk))
    make_all(tournament)
    tournament.refresh_from_db()
    assert say() == [False, False, False] and not overview.overview(tournament).paying
    assert report.is_right(report.build(tournament.pk))


def _end(tournament: Tournament) -> None:
    """End the play time of a tournament that stands: everybody left wins by chips."""
    Tournament.objects.filter(pk=tournament.pk).update(play_time_ms=1, time_up="proportional")
    tick.tick(tournament.pk)
    tournament.refresh_from_db()


def _at_once(tournament: Tournament, monkeypatch: pytest.MonkeyPatch) -> dict[int, int]:
    """Balances after an end in one transaction, which is taken back."""
    with undone(), monkeypatch.context() as large:
        for name in ("TABLES", "ENTRIES", "LOOKED_AT"):
            large.setattr(batches, name, 100)
        _end(tournament)
        assert (tournament.state, tournament.paying) == ("finished", None)
        return balances()


def _text(client: Client, page: str) -> str:
    return client.get(page).content.decode()
