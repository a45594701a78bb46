"""Bounties the room puts on chosen players, by service and in the admin (N-02)."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from redis import Redis

from accounts.models import User
from accounts.users import bots
from config import limits
from tests.tournaments.cast import Arena, offer, open_offer, started
from tests.tournaments.club_scene import staff
from tests.tournaments.events.announced import events_of_type
from tests.tournaments.prizes.knockouts import knock_out
from tests.tournaments.running.finished import assert_finished
from tournaments.admin.bounties import RoomBountyForm
from tournaments.entries import registration
from tournaments.models import AuditRow, RoomBounty, Tournament
from tournaments.prizes import room_bounties
from tournaments.refusals import BadBounty, BadSpec
from tournaments.running import operations


@pytest.mark.rule("N-02")
def test_a_bounty_of_the_room_is_announced_at_the_tables(house: Redis) -> None:
    tournament = open_offer()
    player = bots.create(1)[0]
    entry = registration.register(player, tournament)
    room_bounties.put(tournament.pk, player, 700, reason="famous")
    assert events_of_type(tournament.member, "head_changed")[-1].endswith(
        f'"entry":{entry.pk},"head":700}}'.encode()
    )
    room_bounties.take_off(tournament.pk, player)
    assert b'"head":0' in events_of_type(tournament.member, "head_changed")[-1]
    actions = AuditRow.objects.filter(tournament=tournament).values_list("action", flat=True)
    assert set(actions) >= {"room_bounty", "room_bounty_off"}


@pytest.mark.rule("N-03")
def test_a_pro_is_announced_at_the_tables_on_registration(house: Redis) -> None:
    tournament = open_offer(pro_bounty=900)
    player = bots.create(1)[0]
    User.objects.filter(pk=player.pk).update(is_pro=True)
    player.refresh_from_db()
    registration.register(player, tournament)
    assert b'"head":900' in events_of_type(tournament.member, "head_changed")[-1]


@pytest.mark.rule("N-02")
@pytest.mark.parametrize("amount", [0, -5, 10**15])
def test_an_amount_out_of_range_is_refused(house: Redis, amount: int) -> None:
    tournament, player = open_offer(), bots.create(1)[0]
    with pytest.raises(BadBounty) as refused:
        room_bounties.put(tournament.pk, player, amount)
    assert refused.value.code == "bad_bounty"
    assert not RoomBounty.objects.exists()
    assert not AuditRow.objects.filter(action="room_bounty").exists()


@pytest.mark.rule("N-02")
@pytest.mark.rule("N-06")
def test_all_bounties_together_can_be_paid_to_one_player_at_the_end(house: Redis) -> None:
    tournament = started(3, bounty=500, pro_bounty=50, bounties_at_end=True)
    users = [entry.user for entry in tournament.entries.select_related("user").order_by("pk")]
    most = limits.TRANSFER_MAX_CENTS - 3 * 550
    room_bounties.put(tournament.pk, users[0], most - 100)
    with pytest.raises(BadBounty, match="too large"):
        room_bounties.put(tournament.pk, users[1], 101)
    room_bounties.put(tournament.pk, users[1], 100)
    Arena(tournament.pk).run()
    assert_finished(tournament)


@pytest.mark.rule("N-02")
def test_a_bounty_on_an_absent_player_a_finished_event_or_twice_is_refused(house: Redis) -> None:
    tournament = started(3)
    hunter, victim, _ = tournament.entries.select_related("user").order_by("pk")
    knock_out(tournament, victim, [hunter])
    with pytest.raises(BadBounty):
        room_bounties.put(tournament.pk, victim.user, 100)
    with pytest.raises(BadBounty):
        room_bounties.put(tournament.pk, bots.create(4)[3], 100)
    room_bounties.put(tournament.pk, hunter.user, 100)
    with pytest.raises(BadBounty):
        room_bounties.put(tournament.pk, hunter.user, 100)
    cancelled = open_offer()
    operations.cancel(cancelled.pk, reason="no")
    with pytest.raises(BadBounty):
        room_bounties.put(cancelled.pk, hunter.user, 100)
    assert RoomBounty.objects.count() == 1


@pytest.mark.rule("N-02")
def test_a_won_bounty_cannot_be_removed(house: Redis) -> None:
    tournament = started(3)
    hunter, victim, _ = tournament.entries.select_related("user").order_by("pk")
    room_bounties.put(tournament.pk, victim.user, 100)
    knock_out(tournament, victim, [hunter])
    with pytest.raises(BadBounty):
        room_bounties.take_off(tournament.pk, victim.user)
    assert RoomBounty.objects.get().paid


@pytest.mark.rule("N-02")
def test_an_operator_puts_a_bounty_with_a_reason(house: Redis, client: Client) -> None:
    client.force_login(staff("Boss", "run_tournament"))
    tournament, player = open_offer(), bots.create(1)[0]
    address = reverse("admin:tournaments_roombounty_add")
    form = {"tournament": tournament.pk, "user": player.name, "amount": "7,50", "reason": "famous"}
    page = client.get(address).content.decode()
    assert "admin-autocomplete" not in page, "a search of users needs the right to see them"
    wrongs = ({"amount": "-1"}, {"amount": "0"}, {"reason": ""}, {"amount": "ten"})
    for wrong in (*wrongs, {"user": ""}, {"user": "Nobody"}, {"user": "a\0b"}):
        assert client.post(address, form | wrong).status_code == 200
        assert not RoomBounty.objects.exists()
    assert client.post(address, form).status_code == 302
    assert RoomBounty.objects.get().amount == 750
    audit = AuditRow.objects.get(action="room_bounty")
    assert (str(audit.actor), audit.reason) == ("Boss", "famous")
    assert client.post(address, form).status_code == 200
    assert RoomBounty.objects.count() == 1


def test_a_bounty_refused_after_the_form_was_checked_is_told_in_words(
    house: Redis, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(staff("Rita", "run_tournament"))
    tournament, player = open_offer(), bots.create(1)[0]
    check = RoomBountyForm.clean

    def check_and_be_overtaken(form: RoomBountyForm) -> Any:
        given = check(form)
        room_bounties.put(tournament.pk, player, 100)
        return given

    monkeypatch.setattr(RoomBountyForm, "clean", check_and_be_overtaken)
    form = {"tournament": tournament.pk, "user": player.name, "amount": "7,50", "reason": "famous"}
    answer = client.post(reverse("admin:tournaments_roombounty_add"), form, follow=True)
    assert answer.status_code == 200, "who puts bounties sees them"
    assert "There is a bounty of the room on this player already." in answer.content.decode()
    assert not RoomBounty.objects.filter(amount=750).exists()


@pytest.mark.rule("N-04")
@pytest.mark.parametrize(
    "options",
    [
        {"progressive_bp": 5_000},
        {"bounty": 100, "progressive_bp": 10_001},
        {"bounty": -1},
        {"pro_bounty": -1},
        {"pro_bounty": 10**15},
        {"bounty": 10**15},
    ],
)
def test_bounties_that_cannot_be_paid_are_refused(house: Redis, options: dict[str, int]) -> None:
    with pytest.raises(BadSpec):
        offer(**options)
    assert not Tournament.objects.exists()
