"""A player's own limits: typed on the page, lowered at once, raised a day later."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.ledger.transfers import PostingRequest, account, transfer
from accounts.models import AccountKind, OwnLimit, Posting, User
from accounts.refusals import Excluded, ExclusionRefused, OwnMoneyReached, words_of
from accounts.users import own_limits
from accounts.users.welcome import welcome
from config import limits
from tests.accounts.ledger.sealing import owner

pytestmark = pytest.mark.django_db

PAGE = "/account/limits/"


@pytest.fixture
def ann() -> User:
    return User.objects.create_user("Ann", "a long password")


@pytest.fixture
def browser(ann: User) -> Client:
    client = Client()
    client.force_login(ann)
    return client


def acting(user: User) -> tuple[int | None, int | None]:
    row = own_limits.present(user)
    return row.entries_a_day, row.money_a_week


def a_day_later() -> None:
    OwnLimit.objects.update(wanted_at=timezone.now() - timedelta(seconds=1))


def test_a_higher_limit_waits_a_day_and_a_lower_one_acts_at_once(
    ann: User, browser: Client
) -> None:
    browser.post(PAGE, {"entries_a_day": "5", "money_a_week": "50"})
    assert acting(ann) == (5, 5_000)
    browser.post(PAGE, {"entries_a_day": "3", "money_a_week": "80.50"})
    assert acting(ann) == (3, 5_000)
    row = OwnLimit.objects.get()
    assert row.wanted_at and row.wanted_at > timezone.now() + timedelta(hours=23)
    shown = browser.get(PAGE).content.decode()
    assert "A higher limit begins" in shown and "Buy-ins in 7 days: 50.00 → 80.50" in shown
    a_day_later()
    assert acting(ann) == (3, 8_050)
    browser.post(PAGE, {"entries_a_day": "", "money_a_week": ""})
    assert acting(ann) == (3, 8_050), "no limit is a higher one"
    shown = browser.get(PAGE).content.decode()
    assert "Entries in 24 hours: 3 → without a limit" in shown
    a_day_later()
    assert acting(ann) == (None, None)


def test_a_raise_sent_again_begins_no_later_and_a_lower_limit_takes_it_back(
    ann: User,
) -> None:
    own_limits.change(ann, entries_a_day=3, money_a_week=None)
    first = own_limits.change(ann, entries_a_day=9, money_a_week=None).wanted_at
    assert own_limits.change(ann, entries_a_day=9, money_a_week=None).wanted_at == first
    own_limits.change(ann, entries_a_day=2, money_a_week=None)
    assert OwnLimit.objects.get().wanted_at is None and acting(ann) == (2, None)


def test_a_second_raise_leaves_the_time_of_the_first(ann: User, browser: Client) -> None:
    own_limits.change(ann, entries_a_day=3, money_a_week=5_000)
    own_limits.change(ann, entries_a_day=9, money_a_week=5_000)
    row = OwnLimit.objects.get()
    own_limits._set_wanted(row, row.wanted, {"entries_a_day": timezone.now() + timedelta(hours=1)})
    row.save()
    first = row.wanted_at
    own_limits.change(ann, entries_a_day=9, money_a_week=8_000)
    row = OwnLimit.objects.get()
    times = own_limits.times_of_wanted(row)
    assert times["entries_a_day"] == first
    assert times["money_a_week"] > timezone.now() + timedelta(hours=23)
    assert row.wanted_at == times["money_a_week"], "the latest, for processes of the release before"
    page = browser.get(PAGE).content.decode()
    assert page.count("A higher limit begins") == 2
    assert page.index("Entries in 24 hours: 3 → 9") < page.index("Buy-ins in 7 days: 50.00 → 80.00")
    own_limits._set_wanted(row, row.wanted, times | {"entries_a_day": timezone.now()})
    row.save()
    assert acting(ann) == (9, 5_000), "the first one begins alone"
    assert own_limits.present(ann).wanted == {"money_a_week": 8_000}
    a_day_later()
    assert acting(ann) == (9, 8_000)


def test_a_form_sent_as_shown_keeps_a_raise_that_waits(ann: User, browser: Client) -> None:
    own_limits.change(ann, entries_a_day=3, money_a_week=5_000)
    begins = own_limits.change(ann, entries_a_day=9, money_a_week=None).wanted_at
    page = browser.get(PAGE)
    assert "Entries in 24 hours: 3 → 9" in page.content.decode()
    form = page.context["form"]
    shown = {field.name: "" if field.value() is None else field.value() for field in form}
    browser.post(PAGE, shown)
    assert own_limits.present(ann).wanted_at == begins
    browser.post(PAGE, shown | {"money_a_week": "20"})
    row = own_limits.present(ann)
    assert acting(ann) == (3, 2_000) and row.wanted == {"entries_a_day": 9}
    browser.post(PAGE, shown | {"entries_a_day": "3", "money_a_week": "20"})
    assert own_limits.present(ann).wanted_at is None, "the present limit takes the raise back"


@pytest.mark.parametrize(
    "typed",
    [
        {"entries_a_day": "-1"},
        {"entries_a_day": str(limits.OWN_ENTRIES_MAX + 1)},
        {"entries_a_day": "many"},
        {"money_a_week": "-5"},
        {"money_a_week": "1e9"},
        {"money_a_week": "9999999999999"},
    ],
)
def test_limits_outside_their_range_change_nothing(
    typed: dict[str, str], ann: User, browser: Client
) -> None:
    own_limits.change(ann, entries_a_day=4, money_a_week=700)
    answer = browser.post(PAGE, typed)
    assert answer.status_code == 400 and "errorlist" in answer.content.decode()
    assert acting(ann) == (4, 700) and LogEntry.objects.count() == 1


@pytest.mark.parametrize(("language", "shown"), [("en", "1080.50"), ("de", "1080,50")])
def test_a_limit_is_shown_as_its_reader_types_it(
    ann: User, browser: Client, language: str, shown: str
) -> None:
    browser.cookies["django_language"] = language
    browser.post(PAGE, {"entries_a_day": "", "money_a_week": shown})
    assert acting(ann) == (None, 108_050)
    assert f'value="{shown}"' in browser.get(PAGE).content.decode()


def test_an_exclusion_is_confirmed_and_never_shortened(ann: User, browser: Client) -> None:
    path = f"{PAGE}exclude/"
    for typed in (
        {"days": "7"},
        {"days": "0", "sure": "on"},
        {"days": "99999999", "sure": "on"},
        {"days": "x", "sure": "on"},
    ):
        assert browser.post(path, typed).status_code == 400
    assert not OwnLimit.objects.exists()
    # A switch of the language on the page of a refusal asks for that page anew.
    assert browser.get(path).headers["Location"] == PAGE
    assert browser.post(path, {"days": "7", "sure": "on"}).status_code == 302
    until = own_limits.present(ann).excluded_until
    answer = browser.post(path, {"days": "2", "sure": "on"})
    assert answer.status_code == 400 and "never shortened" in answer.content.decode()
    browser.post(PAGE, {"entries_a_day": "", "money_a_week": ""})
    assert own_limits.present(ann).excluded_until == until
    with transaction.atomic(), pytest.raises(Excluded) as refused:
        own_limits.check_purchase(ann, 0)
    assert "You excluded yourself from buying in until 20" in words_of(refused.value)
    for days in (0, -3, limits.EXCLUSION_DAYS_MAX + 1):
        with pytest.raises(ExclusionRefused):
            own_limits.exclude(ann, days)


def test_an_exclusion_that_is_over_is_not_shown_any_more(ann: User, browser: Client) -> None:
    own_limits.exclude(ann, 7)
    assert "Excluded until" in browser.get(PAGE).content.decode()
    OwnLimit.objects.update(excluded_until=timezone.now() - timedelta(seconds=1))
    assert "Excluded until" not in browser.get(PAGE).content.decode()


def test_the_sentence_names_the_limit_and_changes_are_in_the_history(ann: User) -> None:
    own_limits.change(ann, entries_a_day=None, money_a_week=1_000)
    with transaction.atomic(), pytest.raises(OwnMoneyReached) as refused:
        own_limits.check_purchase(ann, 1_001)
    assert words_of(refused.value) == (
        "This costs 10.01; your own limit is 10.00 in 7 days, of which 0.00 is spent."
    )
    entry = LogEntry.objects.get()
    assert (entry.user, entry.object_id) == (ann, str(ann.pk))
    assert Client().get(PAGE).status_code == 302


def test_buy_ins_of_a_week_are_summed_without_those_of_years(ann: User) -> None:
    welcome(ann)
    wallet, pool = account(AccountKind.PLAYER, user=ann), account(AccountKind.POOL, ref="x:1")
    for number, kind in enumerate(("registration", "registration", "rebuy", "refund", "prize")):
        price = 100 if kind in ("refund", "prize") else -700
        postings = [PostingRequest(wallet, price), PostingRequest(pool, -price)]
        transfer(key=f"test:{number}", kind=kind, postings=postings)
    connection.cursor().execute("SET CONSTRAINTS ALL IMMEDIATE")
    owner(
        "UPDATE accounts_transfer SET created = created - interval '8 days'"
        " WHERE key = 'test:0' OR key LIKE 'welcome:%'"
    )
    last = Posting.objects.get(account=wallet, transfer__key="test:0").pk
    with CaptureQueriesContext(connection) as asked:
        assert own_limits.spent_in_week(ann) == 2 * 700 - 100
    [summed] = [one["sql"] for one in asked if "SUM(" in one["sql"]]
    assert f'"accounts_posting"."id" > {last}' in summed
