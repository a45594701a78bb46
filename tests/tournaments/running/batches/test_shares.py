"""Shares of large fields that are cancelled forward: batches, resumed after deaths."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import msgspec
import pytest
from django.test import Client
from django.urls import reverse
from redis import Redis

from accounts.ledger import transfers
from accounts.ledger.transfers import InsufficientFunds
from accounts.models import User
from config.refusals import Refusal
from tables.models import Seat, Table
from tests.samples import size
from tests.tournaments.cast import FEE, at_once, law
from tests.tournaments.events.announced import event_types, events_of_type
from tests.tournaments.running.batches import batch_cast
from tests.tournaments.running.batches.batch_cast import (
    BOUNTIES,
    PLAYERS,
    balances,
    die_and_go_on,
    field,
    make_all,
    open_in_redis,
    play_full_tables,
    played,
    settle_and_wait,
    times_told,
    undone,
)
from tests.tournaments.running.formats.cash_chips import CASH
from tournaments.entries import deletion, privacy
from tournaments.events.notices import TournamentCancelled
from tournaments.models import AuditRow, Entry, Tournament
from tournaments.monitor import audit
from tournaments.prizes import money
from tournaments.refusals import RoomCannotPay
from tournaments.running import batches, forward, operations, tick


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    batch_cast.make_small(monkeypatch)


@pytest.mark.rule("T-12")
@pytest.mark.parametrize("options", [{}, BOUNTIES, BOUNTIES | {"bounties_at_end": True}])
@pytest.mark.parametrize("seed", range(size(2, 8)))
def test_batches_pay_the_shares_that_one_transaction_pays(
    house: Redis, options: dict[str, object], seed: int
) -> None:
    tournament, players = played(seed, **options)
    left = tournament.entries.filter(state__in=Entry.IN_PLAY).count()
    assert forward.forward_preview(tournament)[0] == left
    rows = Table.objects.filter(game=tournament.pk, status=Table.Status.CLOSED).order_by("number")
    broken = list(rows.values_list("number", flat=True))
    with undone():
        batches.TABLES, batches.ENTRIES = 100, 100
        operations.cancel_forward(tournament.pk, reason="flood")
        assert Tournament.objects.get(pk=tournament.pk).sharing is None
        expected = balances()
    batches.TABLES, batches.ENTRIES = 2, 3
    operations.cancel_forward(tournament.pk, reason="flood")
    tournament.refresh_from_db()
    assert (tournament.state, tournament.sharing, tournament.left) == ("cancelled", 0, 0)
    unpaid = [left]
    while tick.tick(tournament.pk) == batches.NEXT_MS:
        assert audit.audit_tournaments() == []
        unpaid.append(tournament.entries.filter(state__in=Entry.IN_PLAY).count())
    assert unpaid == sorted(unpaid, reverse=True) and len(set(unpaid)) > 1
    assert balances() == expected
    accounts = (money.pool(tournament), money.bounties(tournament))
    assert [transfers.balance(account) for account in accounts] == [0, 0]
    assert sum(times_told(players, "tournament_cancelled")) == left
    assert event_types(tournament.member).count("cancelled") == 1
    # The arena plays in this process: only Redis has not heard of a table that it broke.
    assert open_in_redis(house, tournament) == broken and Seat.objects.count() == 0
    tournament.refresh_from_db()
    assert not tournament.pays_back and tick.tick(tournament.pk) is None
    law(tournament.pk)


@pytest.mark.rule("N-06")
@pytest.mark.rule("T-12")
def test_hunters_who_are_out_get_the_bounties_paid_at_the_end(house: Redis) -> None:
    tournament, players = played(0, 2, **BOUNTIES, bounties_at_end=True)
    hunters = tournament.entries.filter(bounties_won__gt=0).exclude(state__in=Entry.IN_PLAY)
    due = {entry.user_id: entry.bounties_won + entry.prize for entry in hunters}
    had = {player.pk: transfers.held_by(player) for player in players if player.pk in due}
    operations.cancel_forward(tournament.pk)
    make_all(tournament)
    got = {player.pk: transfers.held_by(player) for player in players if player.pk in due}
    assert due and {user: cents - had[user] for user, cents in got.items()} == due
    assert transfers.balance(money.bounties(tournament)) == 0


@pytest.mark.parametrize("after", range(6))
def test_shares_go_on_after_a_death_between_any_two_batches(house: Redis, after: int) -> None:
    tournament, players = played(3, **BOUNTIES)
    left = tournament.entries.filter(state__in=Entry.IN_PLAY).count()
    with undone():
        batches.TABLES, batches.ENTRIES = 100, 100
        operations.cancel_forward(tournament.pk, reason="flood")
        expected = balances()
    batches.TABLES, batches.ENTRIES = 1, 2
    operations.cancel_forward(tournament.pk, reason="flood")
    for _ in range(after):
        assert tick.tick(tournament.pk) == batches.NEXT_MS, "a batch is left"
    die_and_go_on(tournament, forward.wind_up)
    assert balances() == expected
    assert sum(times_told(players, "tournament_cancelled")) == left


def test_two_workers_pay_no_share_twice(house: Redis) -> None:
    tournament, players = played(5)
    left = tournament.entries.filter(state__in=Entry.IN_PLAY).count()
    operations.cancel_forward(tournament.pk)
    for _ in range(5):
        answers = at_once(*[lambda: tick.tick(tournament.pk)] * 2)
        assert all(answer is None or isinstance(answer, int) for answer in answers), answers
    assert sum(times_told(players, "tournament_cancelled")) == left
    assert audit.audit_tournaments() == []
    assert transfers.balance(money.pool(tournament)) == 0


def test_a_hand_settled_between_two_batches_changes_no_share(house: Redis) -> None:
    tournament, _ = field()
    tick.tick(tournament.pk)
    arena, full = play_full_tables(tournament)
    operations.cancel_forward(tournament.pk)
    prizes = dict(tournament.entries.values_list("pk", "prize"))
    still = Table.objects.filter(status="open", pk__in=full)
    assert still, "one full table is not closed yet"
    had = balances()
    settle_and_wait(arena, still.values_list("pk", flat=True))
    make_all(tournament)
    assert had != balances() and dict(tournament.entries.values_list("pk", "prize")) == prizes
    assert not tournament.entries.exclude(state=Entry.State.REFUNDED).exists()


def test_shares_with_fees_that_the_room_took_away_are_refused_before_they_begin(
    house: Redis,
) -> None:
    tournament, _ = field()
    transfers.move(key="taken", kind="test", source=money.fees(), target=money.room(), amount=FEE)
    had = balances()
    with pytest.raises(RoomCannotPay):
        operations.cancel_forward(tournament.pk)
    tournament.refresh_from_db()
    assert tournament.state == "running" and balances() == had
    assert not tournament.entries.exclude(prize=0).exists()


def test_the_audit_finds_a_share_marked_as_paid_without_its_money(house: Redis) -> None:
    tournament, _ = field(**BOUNTIES)
    operations.cancel_forward(tournament.pk)
    assert audit.audit_tournaments() == []
    unpaid = tournament.entries.filter(state__in=Entry.IN_PLAY).latest("pk")
    Entry.objects.filter(pk=unpaid.pk).update(state=Entry.State.REFUNDED, head=0)
    found = audit.audit_tournaments(tournament.pk)
    assert ["the pool account" in found[0], "the bounty account" in found[1]] == [True, True]
    assert all("between shares" in one for one in found) and len(found) == 2


def test_an_account_is_not_deleted_before_its_share_has_come(house: Redis) -> None:
    tournament, players = field()
    operations.cancel_forward(tournament.pk)
    assert all(list(deletion.obstacles(player)) for player in players)
    assert all(privacy.plays_in(tournament.pk, player.pk) for player in players)
    make_all(tournament)
    assert not any(list(deletion.obstacles(player)) for player in players)
    assert not any(privacy.plays_in(tournament.pk, player.pk) for player in players)


def test_pages_of_players_and_operators_say_while_shares_are_paid(house: Redis) -> None:
    tournament, _ = field()
    operator = Client()
    operator.force_login(User.objects.create_superuser("Boss", "a long password"))
    pages = [reverse(page, args=[tournament.pk]) for page in ("tournament", "cockpit")]

    def say() -> list[bool]:
        return ["Entries are being paid back" in _text(operator, page) for page in pages]

    operations.cancel_forward(tournament.pk)
    assert say() == [True, True]
    make_all(tournament)
    assert say() == [False, False]


@pytest.mark.parametrize("ending", [operations.cancel, operations.cancel_forward])
@pytest.mark.parametrize("options", [{}, CASH])
def test_the_page_of_a_step_is_shown_between_any_two_batches(
    house: Redis, ending: Callable[..., object], options: dict[str, object]
) -> None:
    tournament, _ = field(**options)
    operator = Client()
    operator.force_login(User.objects.create_superuser("Boss", "a long password"))
    page = reverse("cockpit_step", args=[tournament.pk, "cancel_forward"])
    ending(tournament.pk)
    shown = [operator.get(page)]
    while tick.tick(tournament.pk) == batches.NEXT_MS:
        shown.append(operator.get(page))
    assert {answer.status_code for answer in shown} == {200} and len(shown) > 2
    assert all("Not possible in this state" in answer.content.decode() for answer in shown)
    assert forward.forward_preview(Tournament.objects.get(pk=tournament.pk)) == (0, 0)


@pytest.mark.rule("T-12")
def test_each_player_is_told_the_share_and_the_fee_that_came_back(house: Redis) -> None:
    tournament, players = field()
    operations.cancel_forward(tournament.pk, reason="flood")
    make_all(tournament)
    due = {entry.user_id: (entry.prize + FEE, "flood") for entry in tournament.entries.all()}
    for player in players:
        [payload] = events_of_type(f"user:{player.pk}", "tournament_cancelled")
        notice = msgspec.json.decode(payload, type=TournamentCancelled)
        assert (notice.refund, notice.reason) == due[player.pk]
    assert len(due) == PLAYERS and min(refund for refund, _ in due.values()) > FEE


def test_fees_taken_between_two_batches_stop_the_shares_until_they_are_back(house: Redis) -> None:
    tournament, players = field()
    operations.cancel_forward(tournament.pk)
    assert tick.tick(tournament.pk) == batches.NEXT_MS
    taken, rows = transfers.balance(money.fees()), tournament.entries.order_by("pk")
    had = list(rows.values_list("state", "prize"))
    transfers.move(key="taken", kind="test", source=money.fees(), target=money.room(), amount=taken)
    with pytest.raises(InsufficientFunds):
        tick.tick(tournament.pk)
    assert list(rows.values_list("state", "prize")) == had
    transfers.move(key="back", kind="test", source=money.room(), target=money.fees(), amount=taken)
    make_all(tournament)
    assert times_told(players, "tournament_cancelled") == [1] * PLAYERS
    assert transfers.balance(money.fees()) == 0


def test_a_step_repeated_between_two_batches_changes_nothing(house: Redis) -> None:
    tournament, _ = field()
    operations.cancel_forward(tournament.pk)
    had, rows = balances(), AuditRow.objects.count()
    for step in (operations.cancel, operations.cancel_forward):
        with suppress(Refusal):
            step(tournament.pk, reason="again")
    for refused in (operations.resume, operations.start):
        with pytest.raises(Refusal):
            refused(tournament.pk)
    assert balances() == had and AuditRow.objects.count() == rows
    tournament.refresh_from_db()
    assert (tournament.sharing, tournament.refunding) == (0, False)


def _text(client: Client, page: str) -> str:
    return client.get(page).content.decode()
