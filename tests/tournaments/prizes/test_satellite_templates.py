"""Templates of satellites lead to the next target, and report a missing one (K-08)."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from redis import Redis

from accounts.models import User
from tests.tournaments.admin.forms import offer_form, template_form
from tests.tournaments.cast import open_offer
from tests.tournaments.schedule.templates import TURBO_OFFER, template
from tournaments.models import Template, Tournament
from tournaments.refusals import BadSpec
from tournaments.running import series, tick
from tournaments.schedule import making, targets

HOUR = timedelta(hours=1)
BOTH = {"methods": "money_and_tickets", "activity": "main"}
ADD = "admin:tournaments_template_add"


def clock_in(hours: float) -> time:
    """Time of day in this many hours, in UTC."""
    return (timezone.now() + hours * HOUR).replace(microsecond=0).time()


def main_event(in_hours: float, **fields: Any) -> Tournament:
    """A scheduled target with open registration."""
    starts_at = timezone.now() + in_hours * HOUR
    wanted = {"start": "scheduled", "starts_at": starts_at, "players_max": 50, "name": "Main"}
    return open_offer(**(wanted | BOTH | fields))


def main_template(in_hours: float = 1, **fields: Any) -> Template:
    """A template that opens a target every day at the time of day in this many hours."""
    wanted = {"name": "Mains", "schedule": "daily", "at_time": clock_in(in_hours)}
    return template(**(wanted | {"offer": TURBO_OFFER | BOTH} | fields))


def satellites(to: Tournament, in_hours: float = 0.5, **fields: Any) -> Template:
    """A template that opens a satellite every day at the time of day in this many hours."""
    offer = TURBO_OFFER | {"format": "satellite", "target": to.pk, "players_max": 50}
    wanted = {"name": "Satellites", "schedule": "daily", "at_time": clock_in(in_hours)}
    return template(**(wanted | {"offer": offer} | fields))


def state(tournament: Tournament, to: str) -> None:
    """Set only the state of a tournament."""
    Tournament.objects.filter(pk=tournament.pk).update(state=to)


def look(row: Template, at: datetime | None = None) -> list[Tournament]:
    """Run the schedule now or at a given time; return the tournaments it opened."""
    row.refresh_from_db()
    made = series.keep(row, at or timezone.now())
    row.refresh_from_db()
    return made


@pytest.fixture
def boss(house: Redis, client: Client) -> Client:
    """Client logged in as a superuser."""
    client.force_login(User.objects.create_superuser("Boss", "a long password"))
    return client


@pytest.mark.rule("K-08")
@pytest.mark.parametrize("over", ["running", "cancelled", "finished"])
def test_a_scheduled_satellite_leads_to_the_next_target_of_a_series(
    house: Redis, over: str
) -> None:
    main = main_event(1, repeats=True, repeat_every_s=3_600)
    row = satellites(main)
    later = making.follow(main)
    state(main, over)
    (made,) = look(row)
    assert (made.state, made.target, row.refused) == ("registering", later, "")
    assert later is not None and row.offer["target"] == later.pk


@pytest.mark.rule("K-08")
def test_a_scheduled_satellite_leads_to_the_next_target_of_a_template(house: Redis) -> None:
    mains = main_template(1, announce_h=48)
    first, second = look(mains)
    row = satellites(first, announce_h=48)
    today, tomorrow = look(row)
    assert (today.target, tomorrow.target) == (first, second)
    assert row.offer["target"] == first.pk, "while the target has not started"
    state(first, "running")
    (third,) = look(mains, timezone.now() + timedelta(days=1))
    (made,) = look(row, timezone.now() + timedelta(days=1))
    assert made.target == third and row.offer["target"] == second.pk


@pytest.mark.rule("K-08")
def test_a_repeating_sit_and_go_satellite_continues_with_the_next_target(house: Redis) -> None:
    mains = main_template(1, announce_h=48)
    first, second = look(mains)
    row = satellites(first, schedule="refill", at_time=None)
    (made,) = look(row)
    assert made.target == first
    state(first, "running")
    state(made, "running")
    assert [one.target for one in look(row)] == [second]


@pytest.mark.rule("K-08")
def test_a_satellite_without_target_shows_the_reason_and_opens_with_one(
    house: Redis,
) -> None:
    mains = main_template(1)
    (first,) = look(mains)
    row = satellites(first, announce_h=48)
    (made,) = look(row)
    assert made.target == first, "every possible tournament was opened"
    awaited = f"Mains ({first.pk}) has no later one yet: it is tried again until there is."
    assert row.refused == f"target: A satellite starts before the tournament it leads to. {awaited}"
    assert look(row) == [] and Tournament.objects.count() == 2
    (second,) = look(mains, timezone.now() + timedelta(days=1))
    (made,) = look(row)
    assert (made.target, row.refused) == (second, "")


@pytest.mark.rule("K-08")
def test_a_satellite_to_the_last_of_a_series_asks_for_another_target(house: Redis) -> None:
    main = main_event(1)
    row = satellites(main)
    state(main, "running")
    assert look(row) == [] and not row.tournaments.exists()
    assert row.refused == (
        "target: The tournament it leads to has started or was cancelled. "
        f"Main ({main.pk}) is the last of its series: choose another target."
    )
    Template.objects.update(offer=row.offer | {"target": main_event(2).pk})
    (made,) = look(row)
    assert made.target != main and row.refused == ""


@pytest.mark.rule("K-08")
def test_a_template_that_is_off_makes_no_later_target(house: Redis) -> None:
    mains = main_template(1)
    (first,) = look(mains)
    row = satellites(first)
    state(first, "running")
    assert look(row) == [] and "has no later one yet" in row.refused
    for off in ({"is_active": False}, {"is_active": True, "schedule": "none"}):
        Template.objects.filter(pk=mains.pk).update(**off)
        assert look(row) == [] and "is the last of its series" in row.refused


@pytest.mark.rule("K-08")
def test_a_template_of_satellites_never_leads_to_its_own(house: Redis) -> None:
    row = satellites(main_event(1))
    first = main_event(1, template=row)
    Template.objects.update(offer=row.offer | {"target": first.pk})
    state(first, "running")
    main_event(3, template=row)
    assert look(row) == [] and "is the last of its series" in row.refused


@pytest.mark.rule("K-08")
def test_a_template_saved_while_the_schedule_runs_keeps_its_values(house: Redis) -> None:
    main = main_event(1, repeats=True, repeat_every_s=3_600)
    stale = satellites(main)
    making.follow(main)
    state(main, "running")
    saved = stale.offer | {"buy_in": 900}
    Template.objects.update(offer=saved)
    series.keep(stale, timezone.now())
    assert Template.objects.get().offer == saved


@pytest.mark.rule("K-08")
def test_the_next_of_a_series_of_satellites_waits_for_the_template_of_its_target(
    house: Redis,
) -> None:
    mains = main_template(1)
    (first,) = look(mains)
    satellite = open_offer(
        format="satellite",
        target=first,
        start="scheduled",
        starts_at=timezone.now() + HOUR / 2,
        repeats=True,
        repeat_every_s=3_600,
    )
    made = making.follow(satellite)
    assert made is not None and (made.state, made.target) == ("announced", first)
    (second,) = look(mains, timezone.now() + timedelta(days=1))
    tick.tick(made.pk)
    made.refresh_from_db()
    assert (made.state, made.target) == ("registering", second)


@pytest.mark.rule("K-08")
@pytest.mark.parametrize("wrong", [{"methods": "money"}, {"buy_in": 0, "fee": 0}])
def test_a_target_that_takes_no_tickets_is_not_awaited(house: Redis, wrong: dict[str, Any]) -> None:
    main = main_event(1, repeats=True, repeat_every_s=3_600)
    Tournament.objects.filter(pk=main.pk).update(**wrong)
    with pytest.raises(BadSpec, match=r"takes no tickets|costs something"):
        series.validate_template(satellites(main))
    assert not targets.is_awaited(Tournament(format="satellite", target=None))


@pytest.mark.rule("K-08")
def test_a_template_can_be_saved_while_its_target_is_awaited(boss: Client) -> None:
    mains = main_template(1)
    (first,) = look(mains)
    fields = {"format": "satellite", "target": first.pk, "schedule": "daily", "weekdays": []}
    form = template_form(**fields, name="Satellites", at_time="20:00", players_max=50)
    assert boss.post(reverse(ADD), form).status_code == 302
    row = Template.objects.get(name="Satellites")
    state(first, "running")
    page = reverse("admin:tournaments_template_change", args=[row.pk])
    assert f'<option value="{first.pk}" selected>' in boss.get(page).content.decode()
    answer = boss.post(page, form | {"fee": "0.70"})
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    row.refresh_from_db()
    assert (row.offer["target"], row.offer["fee"]) == (first.pk, 70)

    Template.objects.filter(pk=mains.pk).update(is_active=False)
    answer = boss.post(page, form | {"fee": "0.80"})
    assert "started or was cancelled" in answer.context["adminform"].form.errors["target"][0]
    row.refresh_from_db()
    assert row.offer["fee"] == 70


@pytest.mark.rule("K-08")
def test_a_satellite_template_must_start_before_the_target_of_the_day(house: Redis) -> None:
    main = main_event(1)
    series.validate_template(satellites(main, 0.5))
    with pytest.raises(BadSpec, match="starts before"):
        series.validate_template(satellites(main, 1.5, name="Too late"))


@pytest.mark.rule("K-08")
@pytest.mark.parametrize("kind", ["template", "clone"])
def test_the_form_of_a_new_satellite_shows_the_next_target(boss: Client, kind: str) -> None:
    main = main_event(1, repeats=True, repeat_every_s=3_600)
    row = satellites(main, schedule="none", at_time=None)
    like = row if kind == "template" else series.create(row)
    later = making.follow(main)
    state(main, "running")
    address = f"{reverse('admin:tournaments_tournament_add')}?{kind}={like.pk}"
    form = boss.get(address).context["adminform"].form
    assert later is not None and form["target"].value() == later.pk
    sent = offer_form(token=form["token"].value(), format="satellite", target=later.pk,
                      start="sit_and_go", starts_at="")  # fmt: skip
    assert boss.post(address, sent).status_code == 302
    assert Tournament.objects.latest("pk").target == later
