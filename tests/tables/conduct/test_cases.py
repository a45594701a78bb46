"""Cases: opened by signs, renewed, decided with a record, and shown to staff with the right."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone
from redis import Redis

from accounts.logins import minting
from accounts.models import User
from tables.conduct import deciding
from tables.conduct.keeping import month_of
from tables.conduct.models import (
    ConductCase,
    PairConduct,
    PlayerConduct,
    PlayerReport,
    SharedBrowser,
)
from tables.conduct.refusals import BannedByOthers, CaseDecided
from tables.conduct.rules.calls import CALL_CELLS
from tables.conduct.rules.times import TIME_BUCKETS
from tables.conduct.scoring import SignFinding, keep_case, look_for_signs
from tables.models import Hand, Table
from tests.tables.conduct.whole_game import count_all, played
from tests.tournaments.club_scene import person, staff
from tests.tournaments.conftest import house

__all__ = ["house"]

pytestmark = pytest.mark.django_db(transaction=True)

State = ConductCase.State
MONTH = month_of(timezone.now())


def month(user: User, **figures: Any) -> PlayerConduct:
    given = {"times": [0] * TIME_BUCKETS, "calls": [0] * CALL_CELLS, "hands": 300} | figures
    return PlayerConduct.objects.create(user=user, month=MONTH, **given)


def clock_times() -> list[int]:
    return [0] * 7 + [300] + [0] * (TIME_BUCKETS - 8)


def dumped(giver: User, taker: User) -> None:
    """Store figures in which one gives the other twenty big blinds in each of fifty hands."""
    sign = 1 if giver.pk < taker.pk else -1
    first, second = sorted((giver, taker), key=lambda user: user.pk)
    flow = 50 * 2_000
    PairConduct.objects.create(
        first=first, second=second, month=MONTH, meetings=50,
        flow=sign * flow, capped=sign * flow, squares=50 * 2_000**2,
    )  # fmt: skip
    for user, given in ((giver, flow), (taker, -flow)):
        usual = {"meetings": 450, "squares": 50 * 2_000**2 + 400 * 400**2}
        month(user, flow=given, capped=given, **usual)


def test_a_sign_opens_one_case_and_renews_it() -> None:
    ann, bob = person("Ann"), person("Bob")
    dumped(bob, ann)
    assert look_for_signs() == 3
    case = ConductCase.objects.get()
    assert (case.sign, case.user, case.other, case.state) == ("dumping", bob, ann, State.OPEN)
    assert case.score > 1 and case.figures["meetings"] == 50
    assert look_for_signs() == 0, "nothing is new"
    PairConduct.objects.update(is_new=True, meetings=51)
    assert look_for_signs() == 1
    assert ConductCase.objects.get().figures["meetings"] == 51


def test_a_month_past_its_time_counts_for_no_pair_whose_players_figures_went_first() -> None:
    ann, bob = person("Ann"), person("Bob")
    old = {"duels": 30, "both_quiet": 30, "first_quiet": 30, "second_quiet": 30}
    old |= {"meetings": 40, "flow": 40_000, "capped": 40_000, "squares": 40 * 1_000**2}
    PairConduct.objects.create(first=ann, second=bob, month=202001, **old)
    PairConduct.objects.create(first=ann, second=bob, month=MONTH, meetings=1, duels=1)
    for user in (ann, bob):
        month(user, meetings=20, duels=29, squares=100)
    assert look_for_signs() == 4
    assert not ConductCase.objects.exists(), "figures of a month that is half deleted"


def test_bots_of_the_room_open_no_case() -> None:
    month(person("Clock", is_bot=True), times=clock_times())
    month(person("Ann"), times=clock_times())
    assert look_for_signs() == 2
    assert [case.user.name for case in ConductCase.objects.all()] == ["Ann"]


def test_accounts_of_one_browser_that_meet_open_a_case() -> None:
    ann, bob = person("Ann"), person("Bob")
    browser = SharedBrowser.objects.create(first=ann, second=bob, logins=2, last_at=ann.date_joined)
    PairConduct.objects.create(first=ann, second=bob, month=MONTH, meetings=1)
    look_for_signs()
    case = ConductCase.objects.get()
    assert (case.sign, case.figures["logins"]) == ("shared_browser", browser.logins)


def test_a_dismissed_case_opens_again_only_at_a_higher_score() -> None:
    ann, by = person("Ann"), staff("Staff", "decide_cases")
    assert keep_case(SignFinding("seeing", ann.pk, None, 1.2, {}))
    deciding.decide(ConductCase.objects.get(), by, State.DISMISSED, "a lucky month")
    assert not keep_case(SignFinding("seeing", ann.pk, None, 1.7, {}))
    assert ConductCase.objects.get().score == 1.2, "a decided case stays as it was"
    assert keep_case(SignFinding("seeing", ann.pk, None, 1.9, {}))
    assert ConductCase.objects.filter(state=State.OPEN).count() == 1


def test_a_decision_is_taken_once_and_leaves_its_record() -> None:
    ann, by = person("Ann"), staff("Staff", "decide_cases")
    keep_case(SignFinding("seeing", ann.pk, None, 1.2, {}))
    case, again = ConductCase.objects.get(), ConductCase.objects.get()
    deciding.note(case, by, "asked a colleague")
    deciding.decide(case, by, State.WARNED, "first time")
    with pytest.raises(CaseDecided):
        deciding.decide(again, by, State.DISMISSED, "no")
    told = [(row.user, row.change_message) for row in deciding.record_of(case)]
    assert told == [(by, "note: asked a colleague"), (by, "warned Ann: first time")]


def test_a_ban_needs_the_right_to_change_users() -> None:
    ann, by = person("Ann"), staff("Staff", "decide_cases")
    keep_case(SignFinding("seeing", ann.pk, None, 1.2, {}))
    case = ConductCase.objects.get()
    with pytest.raises(BannedByOthers):
        deciding.decide(case, by, State.BANNED, "sees cards", ann)
    case.refresh_from_db()
    assert case.state == State.OPEN and User.objects.get(pk=ann.pk).is_active
    assert not LogEntry.objects.exists()
    by.user_permissions.add(Permission.objects.get(codename="change_user"))
    by = User.objects.get(pk=by.pk)
    deciding.decide(case, by, State.BANNED, "sees cards", ann)
    assert not User.objects.get(pk=ann.pk).is_active and LogEntry.objects.count() == 2
    colleague = person("Colleague", is_staff=True)
    assert not deciding.may_ban(by, colleague) and not deciding.may_ban(by, by)


def test_the_desk_shows_the_evidence_to_staff_with_the_right_alone(
    house: Redis, client: Client
) -> None:
    played()
    count_all()
    pair = PairConduct.objects.order_by("-meetings")[0]
    keep_case(SignFinding("dumping", pair.first_id, pair.second_id, 1.4, {"meetings": 3}))
    case = ConductCase.objects.get()
    page = f"/admin/conduct/conductcase/{case.pk}/change/"
    client.force_login(person("Other", is_staff=True))
    for address in (page, "/admin/conduct/conductcase/", "/admin/conduct/playerreport/"):
        assert client.get(address, secure=True).status_code == 403
    by = staff("Staff", "decide_cases")
    client.force_login(by)
    assert "1.40" in client.get("/admin/conduct/conductcase/", secure=True).content.decode()
    told = client.get(page, secure=True).content.decode()
    hand = Hand.objects.filter(users__contains=[pair.first_id, pair.second_id]).order_by("-pk")[0]
    assert f"/tables/{hand.table_id}/hands/{hand.number}/" in told and "<svg" in told
    assert "/cards/" not in told, "hole cards have a right of their own"
    by.user_permissions.add(Permission.objects.get(codename="see_hole_cards"))
    assert f"/admin/tables/hand/{hand.pk}/cards/" in client.get(page, secure=True).content.decode()


def test_a_step_at_the_desk_needs_a_reason(client: Client) -> None:
    ann = person("Ann")
    keep_case(SignFinding("seeing", ann.pk, None, 1.2, {"calls": [1] * CALL_CELLS}))
    case = ConductCase.objects.get()
    page = f"/admin/conduct/conductcase/{case.pk}/change/"
    client.force_login(staff("Staff", "decide_cases"))
    for wrong in (
        {"step": "dismissed", "reason": ""},
        {"step": "dismissed", "reason": "x" * 301},
        {"step": "open", "reason": "no"},
        {"step": f"banned:{ann.pk}", "reason": "without the right"},
    ):
        assert client.post(page, wrong, secure=True).status_code == 200
    case.refresh_from_db()
    assert case.state == State.OPEN and not LogEntry.objects.exists()
    given = {"step": "dismissed", "reason": "<b>luck</b>"}
    assert client.post(page, given, secure=True).status_code == 302
    case.refresh_from_db()
    assert case.state == State.DISMISSED
    assert "&lt;b&gt;luck&lt;/b&gt;" in client.get(page, secure=True).content.decode()


def test_nobody_decides_a_case_of_the_own_account(client: Client) -> None:
    by = staff("Staff", "decide_cases")
    keep_case(SignFinding("seeing", by.pk, None, 1.2, {}))
    case = ConductCase.objects.get()
    client.force_login(by)
    assert "1.20" not in client.get("/admin/conduct/conductcase/", secure=True).content.decode()
    page = f"/admin/conduct/conductcase/{case.pk}/change/"
    assert client.get(page, secure=True).status_code == 404
    given = {"step": "dismissed", "reason": "I am honest"}
    assert client.post(page, given, secure=True).status_code == 404
    case.refresh_from_db()
    assert case.state == State.OPEN


def test_nobody_reads_reports_of_the_own_account(house: Redis, client: Client) -> None:
    by, table = staff("Staff", "decide_cases"), Table.objects.create(game=1, number=1, seats_max=6)
    given = {"by": person("Ann"), "table": table, "reason": "bot"}
    for accused, words in ((by, "a program"), (person("Bob"), "another program")):
        PlayerReport.objects.create(accused=accused, words=words, **given)
    own = PlayerReport.objects.get(accused=by)
    client.force_login(by)
    page = "/admin/conduct/playerreport/"
    told = client.get(page, secure=True).content.decode()
    assert "another program" in told and ">a program" not in told
    assert client.get(f"{page}{own.pk}/change/", secure=True).status_code == 302


def test_a_ban_at_the_desk_asks_for_the_password(client: Client) -> None:
    ann, by = person("Ann"), staff("Staff", "decide_cases", "change_user")
    keep_case(SignFinding("seeing", ann.pk, None, 1.2, {}))
    page = f"/admin/conduct/conductcase/{ConductCase.objects.get().pk}/change/"
    client.force_login(by)
    session = client.session
    session[minting.CONFIRMED_AT] -= 3600
    session.save()
    given = {"step": f"banned:{ann.pk}", "reason": "sees cards"}
    answer = client.post(page, given, secure=True)
    assert answer.headers["Location"].startswith("/account/confirm/?next=")
    assert User.objects.get(pk=ann.pk).is_active and not LogEntry.objects.exists()
    assert ConductCase.objects.get().state == State.OPEN
    client.post(page, {"step": "note", "reason": "asked a colleague"}, secure=True)
    assert LogEntry.objects.count() == 1, "other steps ask for nothing"
    client.force_login(by)
    client.post(page, given, secure=True)
    assert not User.objects.get(pk=ann.pk).is_active


def test_a_damaged_hand_hides_no_case(house: Redis, client: Client) -> None:
    played()
    users = Hand.objects.order_by("-pk")[0].users or []
    keep_case(SignFinding("dumping", users[0], users[1], 1.4, {"meetings": 3}))
    page = f"/admin/conduct/conductcase/{ConductCase.objects.get().pk}/change/"
    newest = Hand.objects.filter(users__contains=users[:2]).order_by("-pk")[0]
    Hand.objects.filter(pk=newest.pk).update(record=b"\x00")
    client.force_login(staff("Staff", "decide_cases"))
    told = client.get(page, secure=True)
    assert told.status_code == 200
    assert f"/tables/{newest.table_id}/hands/{newest.number}/" in told.content.decode()
