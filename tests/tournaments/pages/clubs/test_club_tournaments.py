"""Managers make and run the tournaments of their club; its bank covers what they promise."""

from __future__ import annotations

import json
import re

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse
from django.utils import timezone
from redis import Redis

from accounts.clubs import bank, members
from accounts.ledger import promotions, transfers
from accounts.models import Account, Club, ClubAuditRow, Membership, Transfer, User
from accounts.refusals import words_of
from accounts.users import bots
from config import limits
from tests.accounts.browsers import browser
from tests.tournaments.admin.forms import offer_form
from tests.tournaments.cast import BUY_IN, Arena, law, offer, open_offer, shove
from tests.tournaments.club_scene import club_offer, join, make_club, person, staff
from tournaments.entries import guests, registration
from tournaments.models import Announcement, AuditRow, Entry, Guest, Tournament
from tournaments.prizes import money as prize_money
from tournaments.prizes import promises
from tournaments.queries import lobby_rows
from tournaments.refusals import (
    BadGuest,
    BadSpec,
    ClubCannotPay,
    ClubFeesTaken,
    FeesTaken,
    NobodyListens,
)
from tournaments.running import operations, series, tick
from tournaments.schedule import making

TOKEN = "a" * 22


@pytest.fixture
def club(house: Redis) -> Club:
    return make_club()


def money() -> tuple[list[tuple[int, int]], int]:
    balances = Account.objects.order_by("pk").values_list("pk", "balance")
    return list(balances), Transfer.objects.count()


def fund(club: Club, amount: int) -> None:
    bank.fund(club, person("Olga"), amount, reason="test", token=f"fund-{amount}")


def test_a_manager_makes_opens_and_runs_the_clubs_tournament(club: Club) -> None:
    max_ = browser(join(club, "Max", "manager"))
    page = reverse("club_offer", args=[club.slug])
    shown = max_.get(page).content.decode()
    assert 'name="watched_by"' in shown and reverse("club_offer_preview", args=[club.slug]) in shown
    assert 'name="bounty_players"' not in shown
    typed = offer_form(watched_by="members", entered_by="members", name="Friday", open="1")
    made_at = max_.post(page, typed)
    made = Tournament.objects.get()
    assert made_at["Location"] == reverse("cockpit", args=[made.pk])
    assert (made.club, made.watched_by, made.state) == (club, "members", "registering")
    assert AuditRow.objects.get(action="create").actor == person("Max")
    preview = max_.post(reverse("club_offer_preview", args=[club.slug]), typed)
    assert preview.status_code == 200
    listed = max_.get(reverse("organise")).content.decode()
    assert "Friday" in listed and "New tournament of River Rats" in listed
    make_club("Otto", "Turn Toads")
    for user in (
        join(club, "Mia"),
        person("Stan"),
        person("Otto"),
    ):
        looking = browser(user)
        assert looking.get(page).status_code == looking.post(page, typed).status_code == 404
        assert "Friday" not in looking.get(reverse("organise")).content.decode()
    assert Tournament.objects.count() == 1


def test_a_manager_spends_the_money_of_members_alone(club: Club) -> None:
    made = club_offer(club, watched_by="everybody", entered_by="everybody")
    operations.open(made.pk)
    stranger, member = bots.create(2)
    Membership.objects.create(club=club, user=member)
    max_ = join(club, "Max", "manager")
    guests.invite(made.pk, stranger.name, actor=max_)
    page, before = browser(max_), money()
    address = reverse("cockpit_seat", args=[made.pk])
    given = {"pay": "money", "reason": "asked", "token": TOKEN}
    refused = page.post(address, given | {"player": stranger.name})
    said = refused.context["form"].errors["player"]
    assert said == [f"{stranger.name} is no member of River Rats: its managers seat members alone."]
    assert money() == before and not Entry.objects.exists()
    assert page.post(address, given | {"player": member.name}).status_code == 302
    boss = staff("Sue", "rule_players")
    registration.register_for(stranger, made, actor=boss, reason="asked")
    assert {entry.user for entry in Entry.objects.all()} == {member, stranger}


def test_the_form_is_filled_from_an_earlier_tournament_of_the_same_club(club: Club) -> None:
    made = club_offer(club, entered_by="invited", buy_in=777, rebuys_max=2, rebuy_until_level=3)
    other = club_offer(make_club("Otto", "Turn Toads"), name="Not yours", buy_in=888)
    max_ = browser(join(club, "Max", "manager"))
    page = reverse("club_offer", args=[club.slug])
    assert f"{page}?like={made.pk}" in max_.get(reverse("cockpit", args=[made.pk])).content.decode()
    shown = max_.get(page, {"like": made.pk}).content.decode()
    assert f'value="{made.name}"' in shown and 'value="7.77"' in shown
    assert '<option value="invited" selected>' in shown
    for number in (other.pk, 10**12, "x", "-1"):
        empty = max_.get(page, {"like": number})
        assert empty.status_code == 200 and "Not yours" not in empty.content.decode()


def test_a_room_tournament_is_not_run_by_managers_of_clubs(club: Club) -> None:
    made = open_offer()
    looking = browser(join(club, "Max", "manager"))
    step = reverse("cockpit_step", args=[made.pk, "cancel"])
    assert looking.post(step, {"reason": "x"}).status_code == 403
    assert looking.get(reverse("organise_new")).status_code == 403
    assert looking.get(reverse("cockpit_guests", args=[made.pk])).status_code == 403
    made.refresh_from_db()
    assert made.state == "registering"


def test_guarantees_are_covered_by_the_clubs_own_bank(club: Club) -> None:
    free = promotions.free()
    made = club_offer(club, guarantee=10_000)
    before = money()
    with pytest.raises(ClubCannotPay) as refusal:
        operations.open(made.pk)
    assert refusal.value.allowed == {"needed": 10_000 - 2 * BUY_IN, "free": 0}
    made.refresh_from_db()
    assert made.state == "announced" and money()[0][: len(before[0])] == before[0]
    fund(club, 9_000)
    operations.open(made.pk)
    assert promises.held(made) == 8_000 and bank.held(club) == 1_000
    assert promotions.free() == free, "the room's promotions pay nothing"
    for bot in bots.create(2):
        join(club, bot.name)
        registration.register(bot, made)
    operations.start(made.pk)
    arena = Arena(made.pk)
    arena.choose = shove
    arena.run()
    made.refresh_from_db()
    assert made.pool == 10_000 and bank.held(club) == 1_000 and promises.held(made) == 0
    assert promotions.free() == free and transfers.total() == 0
    law(made.pk)


def test_a_club_reads_nothing_of_the_rooms_account_of_fees(club: Club) -> None:
    made, public = club_offer(club), offer()
    [bot] = bots.create(1)
    join(club, bot.name)
    for tournament in (made, public):
        operations.open(tournament.pk)
        registration.register(bot, tournament)
    fees = transfers.balance(prize_money.fees())
    transfers.move(
        key="taken",
        kind="test",
        source=prize_money.fees(),
        target=prize_money.room(),
        amount=fees - 7,
    )
    with pytest.raises(FeesTaken) as told:
        operations.cancel(public.pk)
    assert "the room's account of fees holds 0.07" in words_of(told.value)
    with pytest.raises(ClubFeesTaken) as refusal:
        operations.cancel(made.pk)
    words = words_of(refusal.value)
    assert f"Fees of {made.fee / 100:.2f} would go back" in words and "0.07" not in words
    assert refusal.value.allowed.keys() == {"needed"}


def test_a_cancelled_guarantee_returns_to_the_club(club: Club) -> None:
    free = promotions.free()
    fund(club, 8_000)
    made = club_offer(club, guarantee=10_000)
    operations.open(made.pk)
    operations.cancel(made.pk, reason="snow")
    assert bank.held(club) == 8_000 and promotions.free() == free


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"format": "spin", "players_max": 3, "players_min": 3}, "format"),
        ({"bounty_players": {"Olga": 500}}, "bounty_players"),
        ({"watched_by": "invited"}, "watched_by"),
        ({"watched_by": "members", "entered_by": "everybody"}, "watched_by"),
    ],
)
def test_promises_of_the_room_alone_are_refused(
    club: Club, fields: dict[str, object], field: str
) -> None:
    with pytest.raises(BadSpec) as refusal:
        club_offer(club, **fields)
    assert refusal.value.field == field and not Tournament.objects.exists()


def test_the_next_of_a_series_stays_in_the_club_and_no_template_leaves_it(club: Club) -> None:
    made = club_offer(
        club,
        start="scheduled",
        starts_at=timezone.now(),
        repeats=True,
        repeat_every_s=86_400,
        entered_by="invited",
    )
    for name in ("Gus", "Stan"):
        person(name)
        guests.invite(made.pk, name, actor=person("Olga"))
    User.objects.filter(name="Stan").update(is_active=False)
    following = making.follow(made)
    assert following is not None
    assert [guest.user.name for guest in following.guests.all()] == ["Gus"]
    assert (following.club, following.watched_by, following.entered_by) == (
        club,
        "members",
        "invited",
    )
    with pytest.raises(BadSpec):
        series.from_tournament(made, "Friday")


def test_a_series_waits_for_the_bank_of_its_club_and_goes_on_after_a_missed_start(
    club: Club,
) -> None:
    fund(club, 300)
    first = club_offer(
        club, start="scheduled", starts_at=timezone.now(), added=300, repeats=True,
        repeat_every_s=86_400,
    )  # fmt: skip
    tick.tick(operations.open(first.pk).pk)
    bank.fund(club, person("Olga"), -300, reason="test", token="taken back")
    second = Tournament.objects.get(follows=first)
    assert second.state == "announced" and tick.tick(second.pk) is not None
    second.refresh_from_db()
    assert second.state == "announced" and promises.held(second) == 0
    Tournament.objects.filter(pk=second.pk).update(starts_at=timezone.now())
    tick.tick(second.pk)
    second.refresh_from_db()
    third = Tournament.objects.get(follows=second)
    assert (second.state, third.state) == ("cancelled", "announced")
    bank.fund(club, person("Olga"), 300, reason="test", token="another gift")
    tick.tick(third.pk)
    third.refresh_from_db()
    assert third.state == "registering" and promises.held(third) == 300


def test_gifts_and_funds_move_once_and_never_below_nothing(club: Club) -> None:
    mia, stan = bots.create(2)
    join(club, mia.name)
    page, funding = reverse("club_bank", args=[club.slug]), reverse("club_fund", args=[club.slug])
    looking = browser(mia)
    for _ in range(2):
        given = looking.post(page, {"amount": "12,50", "token": TOKEN})
    assert given.status_code == 302 and bank.held(club) == 1_250
    before = money()
    for amount in ("0", "-5", "x", "99999999999", "", "1e9"):
        wrong = looking.post(page, {"amount": amount, "token": "b" * 22})
        assert wrong.status_code == 200 and 'id="id_amount_error"' in wrong.content.decode(), amount
    other = looking.post(page, {"amount": "13", "token": TOKEN})
    assert "sent before with another amount" in other.content.decode()
    assert browser(stan).post(page, {"amount": "1", "token": TOKEN}).status_code == 404
    assert looking.post(funding, {"amount": "1", "token": TOKEN}).status_code == 404
    assert money() == before
    boss = browser(staff("Sue", "fund_promotions"))
    assert page in boss.get(reverse("club", args=[club.slug])).content.decode()
    assert 'name="direction"' in boss.get(page).content.decode()
    boss.post(page, {"amount": "1", "token": "e" * 22})
    assert money() == before
    form = {"direction": "give", "amount": "50", "reason": "start", "token": "c" * 22}
    boss.post(funding, form)
    boss.post(funding, form)
    assert bank.held(club) == 6_250
    assert ClubAuditRow.objects.filter(action="fund").count() == 1
    assert "sent before" in boss.post(funding, form | {"amount": "51"}).content.decode()
    taken = form | {"direction": "take", "amount": "100", "token": "d" * 22}
    for amount in ("100", "-5"):
        wrong = boss.post(funding, taken | {"amount": amount})
        assert 'id="fund_amount_error"' in wrong.content.decode(), "less than nothing is no gift"
    assert boss.get(funding)["Location"] == page, "the page of a refusal asked for anew"
    assert bank.held(club) == 6_250 and ClubAuditRow.objects.filter(action="fund").count() == 1
    assert "Gift to a club" in looking.get(page).content.decode()
    join(club, "Sue")
    names = re.findall(r'\bid="([^"]+)"', boss.get(page).content.decode())
    assert {"id_amount", "fund_amount"} <= set(names) and len(names) == len(set(names))
    statement = looking.get("/wallet/").content.decode()
    assert "Gift to a club" in statement and "River Rats" in statement


def test_guests_are_invited_by_name_and_taken_back(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, stan = club_offer(club), person("Stan")
    max_ = browser(join(club, "Max", "manager"))
    page = reverse("cockpit_guests", args=[made.pk])
    wrong = max_.post(page, {"player": "Nobody"}).content.decode()
    assert re.search(r'id="id_player_error"><li>There is no player of this name', wrong)
    assert not Guest.objects.exists()
    max_.post(page, {"player": "stan"})
    max_.post(page, {"player": "STAN"})
    assert [guest.user for guest in made.guests.all()] == [stan]
    assert AuditRow.objects.filter(action="guest").count() == 1
    heard = {"type": "invited", "tournament": made.pk, "name": made.name, "club": "River Rats"}
    told = Announcement.objects.filter(stream=f"user:{stan.pk}")
    assert [json.loads(bytes(one.payload)) for one in told] == [heard]
    monkeypatch.setattr(limits, "GUESTS_MAX", 1)
    assert guests.invite(made.pk, "Stan", actor=person("Max")) == made.guests.get()
    with pytest.raises(BadGuest):
        guests.invite(made.pk, "Olga", actor=person("Max"))
    max_.post(page, {"uninvite": str(stan.pk)})
    assert not made.guests.exists()
    operations.cancel(made.pk)
    with pytest.raises(NobodyListens):
        guests.invite(made.pk, "Stan", actor=person("Max"))
    with pytest.raises(BadGuest):
        guests.invite(offer().pk, "Stan", actor=person("Max"))


def test_a_guest_finds_the_tournament_in_the_club_and_gives_its_password(club: Club) -> None:
    made = club_offer(club, entered_by="invited", password="open sesame")
    operations.open(made.pk)
    (gus,) = bots.create(1)
    page, looking = reverse("tournament", args=[made.pk]), browser(gus)
    lobby = reverse("club", args=[club.slug])
    assert made.name not in looking.get(lobby).content.decode()
    assert looking.get(page).status_code == 404
    guests.invite(made.pk, gus.name, actor=person("Olga"))
    assert made.name in looking.get(lobby).content.decode()
    assert looking.get(page).status_code == 403
    looking.post(reverse("unlock", args=[made.pk]), {"password": "open sesame"})
    assert looking.get(page).status_code == 200
    assert registration.register(gus, made).pk
    assert made.name not in browser(person("Stan")).get(lobby).content.decode()


def test_a_former_member_finds_a_tournament_entered_before_also_when_out(club: Club) -> None:
    made, other = club_offer(club), club_offer(club, name="Other evening")
    mia = join(club, "Mia")
    Entry.objects.create(tournament=made, user=mia, name="Mia", number=1, state=Entry.State.OUT)
    members.leave(club, mia)
    page = browser(mia).get(reverse("club", args=[club.slug])).content.decode()
    assert f"/tournaments/{made.pk}/" in page and f"/tournaments/{other.pk}/" not in page


def test_a_seat_on_offer_is_never_one_of_a_club(club: Club) -> None:
    made = club_offer(club, watched_by="everybody")
    operations.open(made.pk)
    (stan,) = bots.create(1)
    rows = lobby_rows.in_lobby(stan)
    assert [row.summary.tournament for row in rows] == [made.pk]
    assert not rows[0].may_register and lobby_rows.seats_on_offer(rows, stan) == []
    join(club, stan.name)
    assert lobby_rows.in_lobby(stan)[0].may_register


def test_staff_rights_alone_do_not_reach_into_a_club(club: Club) -> None:
    made = club_offer(club)
    sam = staff("Sam", "credit_money")
    assert browser(sam).get(reverse("cockpit", args=[made.pk])).status_code == 404
    sam.user_permissions.add(Permission.objects.get(codename="run_tournament"))
    assert browser(sam).get(reverse("cockpit", args=[made.pk])).status_code == 200
