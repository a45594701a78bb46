"""Terms of jackpots are typed in the admin; what the rule refuses changes nothing (J-01..J-03)."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import User
from tables.ring.engine.jackpots import JACKPOTS, JackpotTier
from tables.ring.models import Jackpot
from tests.tables.ring.pages import floor

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(client: Client) -> Client:
    """Client of an operator with all rights."""
    client.force_login(User.objects.create_superuser(name="Boss", password="x" * 12))
    return client


def typed(staff: Client, row: Jackpot) -> dict[str, str]:
    """The form as the page shows it."""
    form = staff.get(address(row)).context["adminform"].form
    given = {name: form[name].value() for name in form.fields}
    shown = {name: form.fields[name].prepare_value(value) for name, value in given.items()}
    return {name: "on" if value is True else str(value) for name, value in shown.items() if value}


def address(row: Jackpot) -> str:
    return f"/admin/ring/jackpot/{row.pk}/change/"


@pytest.mark.rule("J-01")
@pytest.mark.parametrize("kind", ["monte_carlo", "bad_beat", "smart"])
def test_terms_saved_as_they_are_shown_stay_the_same(staff: Client, kind: str) -> None:
    row = Jackpot.objects.get(kind=kind)
    assert row.terms == JACKPOTS[kind]
    assert staff.post(address(row), typed(staff, row)).status_code == 302
    row.refresh_from_db()
    assert row.terms == JACKPOTS[kind]


@pytest.mark.rule("J-03")
def test_shares_and_hours_are_typed_as_people_write_them(staff: Client) -> None:
    row = Jackpot.objects.get(kind="smart")
    form = typed(staff, row)
    assert (form["feed"], form["hours"]) == ("5.00", "18:00-22:00")
    form |= {"loser": "37,5", "winner": "27.5", "hours": "9:30 - 11:00\n22:00-2:00"}
    assert staff.post(address(row), form).status_code == 302
    row.refresh_from_db()
    assert (row.terms.loser, row.terms.winner) == (3_750, 2_750)
    assert row.terms.hours == ((570, 660), (1_320, 120))
    assert "37.50 %" in staff.get("/admin/ring/jackpot/").content.decode()


@pytest.mark.rule("J-01")
def test_tiers_are_typed_one_a_line(staff: Client) -> None:
    row = Jackpot.objects.get(kind="monte_carlo")
    form = typed(staff, row) | {"tiers": "royal_flush 90\nfour 12,5 %"}
    assert staff.post(address(row), form).status_code == 302
    row.refresh_from_db()
    assert row.terms.tiers == (
        JackpotTier("royal_flush", 9_000),
        JackpotTier("four", 1_250),
    )


@pytest.mark.parametrize(
    ("kind", "wrong", "words"),
    [
        ("bad_beat", {"loser": "35.01"}, "add up to 100 percent"),
        ("bad_beat", {"loser": "135"}, "less than or equal to 100"),
        ("bad_beat", {"room": "-5"}, "greater than or equal to 0"),
        ("bad_beat", {"feed": "a lot"}, "Enter a number"),
        ("bad_beat", {"least_loser": "five_aces"}, "no hand of that name"),
        ("smart", {"hours": "25:00-26:00"}, "between 0:00 and 24:00"),
        ("smart", {"hours": "late"}, "late is no span of hours"),
        ("smart", {"hours": "18:60-19:00"}, "is no span of hours"),
        ("monte_carlo", {"tiers": "royal_flush"}, "is no hand with a share"),
        ("monte_carlo", {"tiers": "pair 101"}, "between 0 and 100 percent"),
        ("monte_carlo", {"tiers": "pair 5\npair 6"}, "A hand has one share"),
        ("monte_carlo", {"tiers": " "}, "This field is required"),
    ],
)
def test_wrong_terms_are_refused_in_words_and_change_nothing(
    staff: Client, kind: str, wrong: dict[str, str], words: str
) -> None:
    row = Jackpot.objects.get(kind=kind)
    form = typed(staff, row) | {"enabled": ""} | wrong
    refused = staff.post(address(row), form)
    assert refused.status_code == 200 and words in refused.content.decode()
    row.refresh_from_db()
    assert row.enabled and row.terms == JACKPOTS[kind]


def test_a_feed_that_leaves_a_game_no_rake_is_refused(staff: Client) -> None:
    smart, monte_carlo = (Jackpot.objects.get(kind=kind) for kind in ("smart", "monte_carlo"))
    floor.ring_game().jackpots.set([smart, monte_carlo])
    refused = staff.post(address(smart), typed(staff, smart) | {"feed": "90.01"})
    assert "at most the whole rake" in refused.content.decode()
    smart.refresh_from_db()
    assert smart.terms == JACKPOTS["smart"]
    assert staff.post(address(smart), typed(staff, smart) | {"feed": "90"}).status_code == 302


def test_an_observer_changes_no_terms(client: Client) -> None:
    client.force_login(User.objects.create_user("Eve", "a long password", is_staff=True))
    row = Jackpot.objects.get(kind="smart")
    assert client.post(address(row), {"feed": "90"}).status_code == 403
