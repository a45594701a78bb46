"""Templates open tournaments by hand, daily, and again when a Sit & Go starts: once each."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st
from redis import Redis

from accounts.models import User
from accounts.users import bots
from config import limits
from config.refusals import Refusal
from tests.tournaments.admin.forms import template_form
from tests.tournaments.cast import open_offer, structure
from tests.tournaments.schedule.templates import TURBO_OFFER, template
from tournaments.entries import registration
from tournaments.events import bells
from tournaments.models import AuditRow, Template, Tournament
from tournaments.refusals import BadSpec
from tournaments.running import operations, series, tasks

EVENING = time(20, 0)


def daily(**fields: Any) -> Template:
    """A template for every evening in Berlin, announced a day before."""
    return template(schedule="daily", at_time=EVENING, zone="Europe/Berlin", **fields)


@pytest.mark.rule("T-05")
def test_a_tournament_is_made_from_a_template_by_hand(house: Redis) -> None:
    row = template(offer=TURBO_OFFER | {"late_ends": "never_open", "special_prize": "A watch"})
    made = series.create(row, reason="for the evening")
    assert (made.template, made.name, made.state) == (row, "Evening", "announced")
    assert (made.buy_in, made.special_prize) == (500, "A watch")
    assert AuditRow.objects.get(tournament=made).reason == "for the evening"


def test_a_template_made_from_a_tournament_has_its_options(house: Redis) -> None:
    like = open_offer(bounty=100, buy_in=700, deals_allowed=True)
    row = series.from_tournament(like, "Like it")
    again = series.create(row)
    for name in ("name", "bounty", "buy_in", "deals_allowed", "players_max"):
        assert getattr(again, name) == getattr(like, name), name
    assert again.levels() == like.levels() and row.structure.name == like.structure_name
    with pytest.raises(BadSpec, match="that name"):
        series.from_tournament(like, "Like it")
    assert Template.objects.count() == 1


@pytest.mark.rule("T-04")
def test_a_daily_template_opens_each_announced_tournament_once(house: Redis) -> None:
    row = daily(announce_h=48)
    now = datetime(timezone.now().year + 1, 1, 15, 12, tzinfo=UTC)  # far from summer time
    made = series.keep(row, now)
    assert len(made) == 2
    for one in made:
        assert one.starts_at is not None
        assert one.starts_at.astimezone(ZoneInfo("Europe/Berlin")).time() == EVENING
        assert (one.state, one.start, one.template_id) == ("registering", "scheduled", row.pk)
    assert series.keep(row, now) == []
    assert len(series.keep(row, now + timedelta(days=1))) == 1
    assert Tournament.objects.count() == 3


def test_concurrent_workers_open_a_tournament_once(house: Redis) -> None:
    row = daily()
    now = timezone.now()
    made: list[Tournament] = []

    def look() -> None:
        made.extend(series.keep(row, now))
        connection.close()

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert len(made) == 1 == Tournament.objects.count()
    assert AuditRow.objects.filter(action="create").count() == 1


def test_a_weekly_template_opens_on_its_days(house: Redis) -> None:
    row = template(schedule="weekly", weekdays=[1, 4], at_time=EVENING, announce_h=24 * 7)
    now = timezone.now()
    made = series.keep(row, now)
    starts = [one.starts_at for one in made if one.starts_at is not None]
    assert len(starts) == len(made) and sorted(at.weekday() for at in starts) == [1, 4]


@pytest.mark.rule("T-04")
def test_a_sit_and_go_opens_again_when_one_starts(house: Redis) -> None:
    row = template(schedule="refill")
    bells.schedule(bells.SCHEDULE, 0)
    tasks.tick("tournament:0")
    first = Tournament.objects.get()
    assert (first.state, first.start) == ("registering", "sit_and_go")
    tasks.tick("tournament:0")
    assert Tournament.objects.count() == 1
    for bot in bots.create(2):
        registration.register(bot, first)
    before = bells.due(bells.SCHEDULE)
    operations.start(first.pk)
    pulled = bells.due(bells.SCHEDULE)
    assert before is not None and pulled is not None and pulled < before, "looked at once"
    tasks.tick("tournament:0")
    second = Tournament.objects.exclude(pk=first.pk).get()
    assert second.state == "registering" and second.template == row
    operations.cancel(second.pk)
    tasks.tick("tournament:0")
    assert Tournament.objects.filter(state="registering").count() == 1


def test_the_schedule_wakes_a_tournament_opened_by_a_dead_worker(house: Redis) -> None:
    template(schedule="refill")
    tasks.tick("tournament:0")
    made = Tournament.objects.get()
    bells.cancel(made.pk)
    house.set(bells.ensured_key(0), 1)
    tasks.tick("tournament:0")
    assert bells.due(made.pk) is not None


def test_the_schedule_has_a_wake_after_redis_was_lost(house: Redis) -> None:
    house.flushall()
    bells.ensure_all()
    assert bells.due(bells.SCHEDULE) is not None


def test_a_disabled_or_unplayable_template_opens_nothing(house: Redis) -> None:
    target = open_offer(methods="money_and_tickets", activity="main")
    off = daily(is_active=False)
    broken = template(name="Broken", schedule="refill",
                      offer=TURBO_OFFER | {"format": "satellite", "target": target.pk})  # fmt: skip
    fine = template(name="Fine", schedule="refill")
    Tournament.objects.filter(pk=target.pk).update(state="cancelled")
    assert series.tick() == limits.SCHEDULE_TICK_MS
    assert [one.template for one in Tournament.objects.exclude(pk=target.pk)] == [fine]
    broken.refresh_from_db()
    off.refresh_from_db()
    assert "started or was cancelled" in broken.refused and off.refused == ""
    Tournament.objects.filter(pk=target.pk).update(state="registering")
    series.tick()
    broken.refresh_from_db()
    assert broken.refused == "" and broken.tournaments.count() == 1


def test_a_template_with_an_unknown_time_zone_does_not_stop_the_others(house: Redis) -> None:
    lost = daily(announce_h=48)
    Template.objects.filter(pk=lost.pk).update(zone="Nowhere/At all")
    fine = template(name="Fine", schedule="refill")
    assert series.tick() == limits.SCHEDULE_TICK_MS
    assert [one.template for one in Tournament.objects.all()] == [fine]


@given(
    since=st.datetimes(datetime(2026, 1, 1), datetime(2027, 12, 31), timezones=st.just(UTC)),  # noqa: DTZ001
    hours=st.integers(1, 24 * 14),
    at=st.times(),
    zone=st.sampled_from(["UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Apia"]),
    days=st.sets(st.integers(0, 6), min_size=1),
    weekly=st.booleans(),
)
def test_occurrences_are_the_wall_clock_of_the_zone(
    since: datetime, hours: int, at: time, zone: str, days: set[int], weekly: bool
) -> None:
    row = Template(
        schedule="weekly" if weekly else "daily", weekdays=sorted(days), at_time=at, zone=zone
    )
    until = since + timedelta(hours=hours)
    found = list(series.occurrences(row, since, until))
    assert found == sorted(set(found))
    assert all(since < one <= until for one in found)
    local = [one.astimezone(ZoneInfo(zone)) for one in found]
    assert len({one.date() for one in local}) == len(local)
    if weekly:
        assert {one.weekday() for one in local} <= days | {(day + 1) % 7 for day in days}
    else:
        assert hours // 24 - 1 <= len(found) <= hours // 24 + 1
    # A later second run finds nothing new.
    middle = since + timedelta(hours=hours // 2)
    assert list(series.occurrences(row, middle, until)) == [one for one in found if one > middle]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"offer": {"buyin": 3}}, "no option"),
        ({"offer": [1]}, "JSON object"),
        ({"offer": {"structure": []}}, "not part of"),
        ({"offer": {"starts_at": "2030-01-01T20:00"}}, "not part of"),
        ({"offer": {"format": "spin"}}, "set number"),
        ({"zone": "Mars/Base"}, "time zone"),
        ({"schedule": "daily"}, "time of the day"),
        ({"schedule": "weekly", "at_time": EVENING}, "needs a day"),
        ({"weekdays": [7]}, "from 0"),
        ({"weekdays": "Monday"}, "from 0"),
        ({"weekdays": [[0]]}, "from 0"),
        ({"schedule": "daily", "at_time": EVENING, "announce_h": 0}, "between 1 and"),
        ({"schedule": "daily", "at_time": EVENING, "announce_h": 9_999}, "between 1 and"),
        ({"schedule": "refill", "offer": {"start": "scheduled"}}, "Only a Sit & Go"),
    ],
)
def test_a_template_that_cannot_open_a_tournament_is_refused(
    db: None, wrong: dict[str, Any], message: str
) -> None:
    row = Template(**({"name": "Wrong", "structure": structure(), "offer": TURBO_OFFER} | wrong))
    with pytest.raises(Refusal, match=message):
        series.validate_template(row)
    assert not Tournament.objects.exists()


@pytest.fixture
def boss(house: Redis, client: Client) -> Client:
    """Client logged in as a superuser."""
    client.force_login(User.objects.create_superuser("Boss", "a long password"))
    return client


def test_templates_are_made_and_used_in_the_admin(boss: Client) -> None:
    add = reverse("admin:tournaments_template_add")
    answer = boss.post(add, template_form(bounty="0.50", payout_table="2-100: 70 30"))
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    row = Template.objects.get()
    assert (row.weekdays, row.zone) == ([0, 5], "Europe/Berlin")
    said = {"start": "sit_and_go", "buy_in": 300, "bounty": 50, "fee": 100}
    assert said.items() <= row.offer.items() and "guarantee" not in row.offer
    assert row.offer["payout_table"] == [{"fewest": 2, "most": 100, "shares": [7000, 3000]}]
    assert "name" not in row.offer and not series.UNSAID & row.offer.keys()

    change = reverse("admin:tournaments_template_change", args=[row.pk])
    form = boss.get(change).context["adminform"].form
    assert form["buy_in"].value() == "3.00" and form["payout_table"].value() == "2-100: 70.00 30.00"
    kept = row.offer
    sent = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    again = boss.post(change, sent | {"weekdays": ["0", "5"], "at_time": "20:00", "planned": ""})
    assert again.status_code == 302, again.context["adminform"].form.errors
    row.refresh_from_db()
    assert row.offer == kept, "the shown values are the stored ones"

    listed = boss.get(reverse("admin:tournaments_template_changelist")).content.decode()
    filled = f"{reverse('admin:tournaments_tournament_add')}?template={row.pk}"
    assert f"?template={row.pk}" in listed
    shown = boss.get(filled).context["adminform"].form
    assert (shown["buy_in"].value(), shown["structure_row"].value()) == ("3.00", row.structure_id)
    assert shown["payout_table"].value() == "2-100: 70.00 30.00"


@pytest.mark.parametrize(
    ("wrong", "field", "message"),
    [
        ({"buy_in": -1}, "buy_in", "greater than or equal to 0"),
        ({"buy_in": "ten"}, "buy_in", "Enter a number"),
        ({"guarantee": 10**13}, "guarantee", "less than or equal"),
        ({"players_min": 1}, "players_min", "greater than or equal to 2"),
        ({"players_min": 50, "players_max": 20}, "players_max", "not below the minimum"),
        ({"seats_per_table": 11}, "seats_per_table", "10"),
        ({"payout_table": "2-9: 70 20"}, "payout_table", "exactly 100 %"),
        ({"format": "spin"}, "players_min", "set number"),
        ({"variant": "stud", "seats_per_table": 8, "limit": "fixed_limit"}, "structure", "Stud"),
        ({"rebuys_max": 1}, "rebuy_until_level", "last level"),
        ({"methods": "ticket"}, "activity", "name the activity"),
        ({"format": "satellite"}, "target", "needs the tournament"),
        ({"action_ms": "0.1"}, "action_ms", "greater than or equal to 0.5"),
        ({"at_time": ""}, "at_time", "time of the day"),
        ({"weekdays": []}, "weekdays", "needs a day"),
        ({"zone": "Mars/Base"}, "zone", "valid choice"),
        ({"schedule": "refill", "start": "scheduled"}, "schedule", "Only a Sit"),
        ({"structure": ""}, "structure", "required"),
    ],
)
def test_a_wrong_option_of_a_template_is_refused_beside_its_field(
    boss: Client, wrong: dict[str, object], field: str, message: str
) -> None:
    answer = boss.post(reverse("admin:tournaments_template_add"), template_form(**wrong))
    assert answer.status_code == 200 and not Template.objects.exists()
    errors = answer.context["adminform"].form.errors
    assert message in " ".join(errors.get(field, [])), errors


def test_a_tournament_is_cloned_and_kept_as_a_template(boss: Client) -> None:
    like = open_offer(bounty=100, buy_in=700)
    page = boss.get(f"{reverse('admin:tournaments_tournament_add')}?clone={like.pk}")
    shown = page.context["adminform"].form
    assert (shown["bounty"].value(), shown["buy_in"].value()) == ("1.00", "7.00")
    assert shown["structure_row"].value() == structure().pk
    listed = reverse("admin:tournaments_tournament_changelist")
    boss.post(listed, {"action": "keep_as_template", "_selected_action": [like.pk]})
    kept = Template.objects.get()
    assert kept.offer["bounty"] == 100
    logged = LogEntry.objects.get(object_id=str(kept.pk))
    assert logged.change_message == f"kept from tournament {like.pk}"
