"""Sums the room promises are set aside at the opening, or refused without a change (Z-01)."""

from __future__ import annotations

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from redis import Redis

from accounts.ledger import promotions, transfers
from accounts.models import Account, Transfer, User
from accounts.users import bots
from tests.tournaments.cast import BUY_IN, Arena, at_once, offer, open_offer, started, structure
from tests.tournaments.prizes.spin_terms import SPIN
from tournaments.entries import registration
from tournaments.models import AuditRow, Template, Tournament
from tournaments.monitor import audit
from tournaments.prizes import money, promises
from tournaments.refusals import RoomCannotPay
from tournaments.running import operations, series, tick


def leave_free(amount: int) -> None:
    """Set the free balance of the room's promotions account."""
    promotions.fund(amount - promotions.free(), reason="test", token=f"leave-{amount}")


def facts() -> tuple[object, ...]:
    """Every value that a refused promise must leave unchanged."""
    tournaments = list(Tournament.objects.order_by("pk").values())
    return tournaments, list(Account.objects.values_list("pk", "balance")), Transfer.objects.count()


@pytest.mark.rule("Z-01")
@pytest.mark.parametrize(
    ("fields", "most"),
    [
        ({}, 0),
        ({"guarantee": 10_000}, 10_000 - 2 * BUY_IN),
        ({"guarantee": 10_000, "players_min": 6}, 10_000 - 6 * BUY_IN),
        ({"guarantee": 1_500}, 0),
        ({"added": 700}, 700),
        ({"added": 700, "guarantee": 2_500}, 700),
        ({"added": 700, "guarantee": 10_000}, 10_000 - 2 * BUY_IN),
        ({**SPIN, "buy_in": 333}, 997 * 333),
        ({**SPIN, "spin_odds": {"2": 100_000}}, 0),
    ],
)
def test_the_largest_possible_sum_is_set_aside(
    house: Redis, fields: dict[str, object], most: int
) -> None:
    free = promotions.free()
    tournament = open_offer(**fields)
    assert promises.most(tournament) == promises.held(tournament) == most
    assert promotions.free() == free - most and promotions.set_aside() == most
    operations.cancel(tournament.pk, reason="never mind")
    assert promotions.free() == free and promotions.set_aside() == 0 == transfers.total()


@pytest.mark.rule("Z-01")
@pytest.mark.rule("F-05")
@pytest.mark.parametrize(
    ("fields", "most"),
    [({"guarantee": 10_000}, 8_000), ({"added": 900}, 900), (SPIN, 997_000)],
)
def test_a_tournament_the_room_cannot_pay_is_not_opened(
    house: Redis, fields: dict[str, object], most: int
) -> None:
    tournament = offer(**fields)
    leave_free(most - 1)
    before = facts()
    with pytest.raises(RoomCannotPay) as refused:
        operations.open(tournament.pk)
    assert refused.value.code == "room_cannot_pay"
    assert refused.value.allowed == {"needed": most, "free": most - 1}
    assert facts() == before and not AuditRow.objects.filter(action="open").exists()
    leave_free(most)
    assert operations.open(tournament.pk).state == "registering" and promotions.free() == 0
    operations.open(tournament.pk)
    assert promises.held(tournament) == most


@pytest.mark.rule("Z-01")
def test_one_budget_is_promised_once_to_concurrent_openings(house: Redis) -> None:
    made = [offer(name=f"T{number}", added=400) for number in range(4)]
    leave_free(1_000)
    results = at_once(*[lambda pk=one.pk: operations.open(pk) for one in made])
    assert sorted(type(result).__name__ for result in results) == [
        *["RoomCannotPay"] * 2,
        *["Tournament"] * 2,
    ]
    assert promotions.free() == 200 and promotions.set_aside() == 800
    assert Tournament.objects.filter(state="registering").count() == 2


@pytest.mark.rule("Z-01")
@pytest.mark.rule("E-07")
def test_the_start_and_the_end_of_late_entries_can_always_be_paid(house: Redis) -> None:
    """The promotions are empty meanwhile: what was set aside pays, and the rest comes back."""
    tournament = open_offer(
        start="scheduled",
        starts_at=timezone.now(),
        guarantee=12_000,
        late_ends="at_left",
        late_value=2,
    )
    leave_free(0)
    for bot in bots.create(4):
        registration.register(bot, tournament)
    operations.start(tournament.pk)
    assert promises.held(tournament) == 10_000
    Arena(tournament.pk, 3).run()
    tournament.refresh_from_db()
    assert tournament.state == "finished" and tournament.pool == 12_000
    assert promotions.free() == 2 * BUY_IN and promises.held(tournament) == 0
    assert transfers.balance(money.room()) == 0 and audit.audit_tournaments(tournament.pk) == []


@pytest.mark.rule("Z-01")
def test_a_series_continues_when_the_room_can_pay_again(house: Redis) -> None:
    first = started(2, players_max=2, added=300, repeats=True)
    following = Tournament.objects.get(follows=first)
    assert following.state == "announced"
    leave_free(299)
    tick.tick(following.pk)
    following.refresh_from_db()
    assert following.state == "announced" and promises.held(following) == 0
    leave_free(300)
    tick.tick(following.pk)
    following.refresh_from_db()
    assert following.state == "registering" and promises.held(following) == 300


@pytest.mark.rule("Z-01")
def test_a_template_the_room_cannot_pay_shows_the_reason_and_opens_nothing(house: Redis) -> None:
    template = Template.objects.create(
        name="Rich", structure=structure(), schedule="refill", offer={"added": 500}
    )
    leave_free(499)
    assert series.tick() and not Tournament.objects.exists()
    template.refresh_from_db()
    assert "promotions hold 4.99" in template.refused
    leave_free(500)
    series.tick()
    template.refresh_from_db()
    assert template.refused == "" and Tournament.objects.get().state == "registering"


@pytest.mark.rule("Z-01")
def test_operators_see_promised_sums_and_fund_them_once_per_form(
    house: Redis, client: Client
) -> None:
    client.force_login(User.objects.create_superuser("Boss", "a long password"))
    tournament = offer(added=5_00)
    leave_free(1_00)
    step = f"{reverse('admin:tournaments_step', args=['open'])}?ids={tournament.pk}"
    page = client.get(step).content.decode()
    assert "Set aside by the room" in page and "5.00" in page
    answer = client.post(step, {"reason": "evening"}, follow=True).content.decode()
    assert "have to pay up to 5.00, its promotions hold 1.00" in answer
    funds = reverse("admin:accounts_promotions")
    assert "1.00" in client.get(funds).content.decode()
    form = {"direction": "give", "amount": "4,00", "reason": "evening", "token": "t" * 22}
    for wrong in ({"amount": "-1"}, {"amount": "0"}, {"reason": ""}, {"direction": "x"}):
        assert client.post(funds, form | wrong).status_code == 200
    too_much = client.post(funds, form | {"direction": "take", "token": "u" * 22})
    assert "the account holds 1.00" in too_much.content.decode() and promotions.free() == 100
    for _ in range(2):
        assert client.post(funds, form).status_code == 302
    assert promotions.free() == 500
    assert LogEntry.objects.filter(change_message="give 4.00: evening").count() == 1
    client.post(step, {"reason": "evening"})
    tournament.refresh_from_db()
    assert tournament.state == "registering" and promotions.free() == 0


@pytest.mark.rule("Z-01")
def test_a_user_without_permission_to_fund_promotions_only_views_them(
    house: Redis, client: Client
) -> None:
    staff = User.objects.create_user("Sam", "a long password", is_staff=True)
    client.force_login(staff)
    funds = reverse("admin:accounts_promotions")
    assert client.get(funds).status_code == 403
    from django.contrib.auth.models import Permission

    staff.user_permissions.add(Permission.objects.get(codename="view_account"))
    page = client.get(funds)
    assert page.status_code == 200 and b'name="amount"' not in page.content
    free = promotions.free()
    form = {"direction": "give", "amount": "4", "reason": "x", "token": "t" * 22}
    assert client.post(funds, form).status_code == 403 and promotions.free() == free
    staff.user_permissions.set(Permission.objects.filter(codename="fund_promotions"))
    page = client.get(funds)
    assert page.status_code == 200 and b'name="amount"' in page.content
    assert reverse("admin:accounts_account_changelist") not in page.content.decode()
