"""Reports of players: who, where and how often; wrong ones change nothing."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from http import HTTPStatus

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.hashers import make_password
from django.test import Client
from django.utils import timezone
from redis import Redis

from accounts.models import User
from tables.chat.refusals import TextTooLong, TooFast, UnreadableText
from tables.conduct.models import ConductCase, PlayerReport
from tables.conduct.refusals import NobodyThere, NoSuchHandYet, ReportsOneself, UnknownReason
from tables.conduct.reports import report_player
from tables.models import Hand, Seat, Table
from tests.tournaments.cast import Arena, at_once, started
from tests.tournaments.conftest import house
from tournaments.models import Tournament

__all__ = ["house"]

REASON = "collusion"


@pytest.fixture
def table(house: Redis) -> Table:
    """A table of three with one finished hand and the next one in play."""
    made = started(3)
    arena = Arena(made.pk, seed=4)
    (pk,) = arena.tables()
    arena.hand(pk)
    arena.step(pk)
    arena.step(pk)
    assert arena.states[pk].hand_number == 2
    return Table.objects.get(pk=pk)


def people(table: Table) -> list[int]:
    return list(Seat.objects.filter(table=table).order_by("seat").values_list("user", flat=True))


def test_a_report_is_kept_once_and_opens_a_case_by_its_reporters(table: Table) -> None:
    accused, ann, bob = people(table)
    report_player(table, ann, accused, reason=REASON, words=" he <b>folds</b>  kings ", hand=1)
    report_player(table, ann, accused, reason=REASON, words="again", hand=1)
    report_player(table, ann, accused, reason="bot")
    assert [row.words for row in PlayerReport.objects.order_by("pk")] == [
        "he <b>folds</b> kings", "",
    ]  # fmt: skip
    case = ConductCase.objects.get()
    assert (case.sign, case.user_id, case.score) == ("reported", accused, 0.5)
    report_player(table, bob, accused, reason=REASON)
    case.refresh_from_db()
    assert case.score == 1.0 and ConductCase.objects.count() == 1


@pytest.mark.parametrize("turn", range(4))
def test_two_players_who_report_at_once_both_count(table: Table, turn: int) -> None:
    accused, *reporters = people(table)
    rows: list[object] = at_once(
        *(lambda by=by: report_player(table, by, accused, reason=REASON) for by in reporters)
    )
    assert all(isinstance(row, PlayerReport) for row in rows), rows
    assert ConductCase.objects.get().figures == {"reporters": 2}


def test_a_report_sent_twice_at_once_is_one(table: Table) -> None:
    accused, ann, _ = people(table)
    for hand in (1, None):
        send = partial(report_player, table, ann, accused, reason=REASON, hand=hand)
        rows: list[object] = at_once(*[send] * 4)
        assert all(isinstance(row, PlayerReport) for row in rows), rows
    assert PlayerReport.objects.count() == 2


def test_wrong_reports_are_refused_and_change_nothing(table: Table) -> None:
    accused, ann, _ = people(table)
    stranger = User.objects.create_user("Stranger", password=None).pk
    for wrong, given in (
        (ReportsOneself, {"by": accused, "accused": accused}),
        (NobodyThere, {"by": ann, "accused": stranger}),
        (NobodyThere, {"by": ann, "accused": stranger, "hand": 1}),
        (NobodyThere, {"by": ann, "accused": 10**12}),
        (NoSuchHandYet, {"by": ann, "accused": accused, "hand": 2}),
        (NoSuchHandYet, {"by": ann, "accused": accused, "hand": 999_999_999}),
        (UnknownReason, {"by": ann, "accused": accused, "reason": "his face"}),
        (TextTooLong, {"by": ann, "accused": accused, "words": "x" * 10_000}),
        (TextTooLong, {"by": ann, "accused": accused, "words": "x" * 201}),
        (UnreadableText, {"by": ann, "accused": accused, "words": "a\u202eb"}),
    ):
        with pytest.raises(wrong):
            report_player(table, **{"reason": REASON, **given})  # type: ignore[arg-type]
    assert not PlayerReport.objects.exists() and not ConductCase.objects.exists()


def test_a_hand_that_is_still_shown_cannot_be_reported(table: Table) -> None:
    accused, ann, _ = people(table)
    Hand.objects.update(released_at=timezone.now() + timedelta(minutes=1))
    with pytest.raises(NoSuchHandYet):
        report_player(table, ann, accused, reason=REASON, hand=1)
    assert not PlayerReport.objects.exists()


def test_a_flood_of_reports_is_stopped(table: Table) -> None:
    accused, ann, other = people(table)
    pairs = [(user, reason) for user in (accused, other) for reason in PlayerReport.Reason.values]
    for user, reason in pairs:
        report_player(table, ann, user, reason=reason)
    with pytest.raises(TooFast):
        report_player(table, ann, accused, reason=REASON, hand=1)
    assert PlayerReport.objects.count() == len(pairs) == 10


def test_reports_of_before_a_decision_count_no_more(table: Table) -> None:
    accused, ann, bob = people(table)
    report_player(table, ann, accused, reason=REASON)
    report_player(table, bob, accused, reason=REASON)
    ConductCase.objects.update(state="dismissed", decided_at=timezone.now())
    report_player(table, bob, accused, reason="bot")
    assert [row.score for row in ConductCase.objects.order_by("pk")] == [1.0, 0.5]


def test_a_table_is_reported_again_after_a_decision_and_a_hand_is_not(table: Table) -> None:
    accused, ann, _ = people(table)
    report_player(table, ann, accused, reason=REASON, hand=1)
    first = report_player(table, ann, accused, reason=REASON)
    assert report_player(table, ann, accused, reason=REASON) == first
    ConductCase.objects.update(state="dismissed", decided_at=timezone.now())
    report_player(table, ann, accused, reason=REASON, hand=1)
    assert ConductCase.objects.count() == 1, "that hand was judged"
    later = report_player(table, ann, accused, reason=REASON, words="still")
    assert later.pk != first.pk and later.words == "still"
    assert [row.score for row in ConductCase.objects.order_by("pk")] == [0.5, 0.5]


def test_the_page_takes_a_report_and_shows_what_is_wrong(table: Table, client: Client) -> None:
    accused, ann, _ = people(table)
    page = f"/tables/{table.pk}/report/"
    assert client.get(page, secure=True).status_code == HTTPStatus.FOUND, "log in first"
    client.force_login(User.objects.get(pk=ann))
    told = client.get(page, secure=True).content.decode()
    assert told.count('name="player"') == 2, "nobody is offered the own name"
    for wrong in (
        {},
        {"player": ann, "reason": REASON},
        {"player": "no", "reason": REASON},
        {"player": accused, "reason": "face"},
        {"player": accused, "reason": REASON, "words": "x" * 10_000},
        {"player": accused, "reason": REASON, "words": "a\u202eb"},
    ):
        answer = client.post(page, wrong, secure=True)
        assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
        assert 'role="alert"' in answer.content.decode()
    assert not PlayerReport.objects.exists()
    for hand in ("2", "0", "x", "-1", "99999999999", "²"):
        assert client.get(f"{page}?hand={hand}", secure=True).status_code == HTTPStatus.NOT_FOUND
    given = {"player": accused, "reason": REASON, "words": "<script>"}
    assert client.post(f"{page}?hand=1", given, secure=True).status_code == HTTPStatus.OK
    row = PlayerReport.objects.get()
    assert (row.by_id, row.accused_id, row.hand, row.words) == (ann, accused, 1, "<script>")
    assert not LogEntry.objects.exists()


def test_a_table_that_a_visitor_may_not_see_takes_no_report(table: Table, client: Client) -> None:
    Tournament.objects.update(password=make_password("secret"))
    client.force_login(User.objects.create_user("Stranger", password=None))
    answer = client.get(f"/tables/{table.pk}/report/", secure=True)
    assert answer.status_code == HTTPStatus.NOT_FOUND
