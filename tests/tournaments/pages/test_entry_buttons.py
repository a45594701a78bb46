"""The button to buy an entry shows exactly while registration accepts the player."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from redis import Redis

from accounts.models import User
from accounts.users import bots
from tables.models import Table
from tests.tournaments.buying.rebuy_scene import bust, open_rebuy_offer
from tests.tournaments.cast import open_offer
from tests.tournaments.entries.late_entries import late, users_without_entry
from tests.tournaments.seating.several_entries import multi
from tournaments.engine.refusals import NoMoreEntries
from tournaments.entries import registration
from tournaments.models import Entry, Tournament
from tournaments.queries import lobby_rows, mine
from tournaments.refusals import TournamentFull
from tournaments.running import sales


def buttons(tournament: Tournament, user: User) -> tuple[bool, str]:
    """Return whether the lobby and the player's row sell an entry, and its number."""
    alone = lobby_rows.of_tournament(Tournament.objects.get(pk=tournament.pk), user)
    [listed] = lobby_rows.in_lobby(user)
    assert (listed.may_register, listed.entry) == (alone.may_register, alone.entry)
    return alone.may_register, alone.entry


def test_the_first_entry_is_not_offered_as_a_further_one(house: Redis) -> None:
    tournament = open_offer()
    [player] = bots.create(1)
    assert buttons(tournament, player) == (True, "first")
    registration.register(player, tournament)
    assert not buttons(tournament, player)[0]
    assert not lobby_rows.of_tournament(open_offer(), None).mine


@pytest.mark.rule("E-03")
def test_a_player_buys_the_promised_number_of_entries_at_once(house: Redis) -> None:
    tournament = open_offer(entries_max=3, several_at_once=True, players_max=9)
    [player] = bots.create(1)
    for entry in ("first", "another", "another"):
        assert buttons(tournament, player) == (True, entry)
        registration.register(player, tournament)
    assert not buttons(tournament, player)[0]
    with pytest.raises(NoMoreEntries):
        registration.register(player, tournament)


@pytest.mark.rule("E-02")
def test_a_busted_player_reenters_a_full_tournament(house: Redis) -> None:
    tournament = late(4, entries_max=2, players_max=4)
    [stranger] = users_without_entry(1)
    _, entry = bust(tournament)
    assert not buttons(tournament, entry.user)[0], "the offer waits for an answer first"
    sales.answer(entry.user, open_rebuy_offer(entry).pk, buy=False)
    assert Tournament.objects.get().is_full
    assert buttons(tournament, entry.user) == (True, "again")
    assert not buttons(tournament, stranger)[0]
    with pytest.raises(TournamentFull):
        registration.register(stranger, tournament)
    registration.register(entry.user, tournament)
    assert not buttons(tournament, entry.user)[0]
    Entry.objects.filter(user=entry.user).update(state=Entry.State.OUT)
    assert not buttons(tournament, entry.user)[0], "all entries are used"


@pytest.mark.rule("E-03")
def test_a_full_tournament_sells_no_further_entry_at_once(house: Redis) -> None:
    tournament = open_offer(entries_max=2, several_at_once=True, players_max=2)
    for player in bots.create(2):
        registration.register(player, tournament)
    assert not buttons(tournament, player)[0]
    with pytest.raises(TournamentFull):
        registration.register(player, tournament)


def test_a_visitor_who_registers_in_a_row_comes_from_the_sign_up_to_its_tournament(
    house: Redis, client: Client
) -> None:
    page = f"/tournaments/{open_offer().pk}/"
    link = f'href="/accounts/signup/?next={page}"'
    assert link in client.get("/").content.decode()
    assert link in client.get(f"{page}row/").content.decode()


def test_one_click_takes_a_seat_where_the_player_has_none(house: Redis) -> None:
    tournament = open_offer(entries_max=2, several_at_once=True, players_max=9)
    [player] = bots.create(1)
    assert lobby_rows.seats_on_offer(lobby_rows.in_lobby(player), player)
    registration.register(player, tournament)
    assert not lobby_rows.seats_on_offer(lobby_rows.in_lobby(player), player)


def test_the_buttons_of_a_visitor_cost_the_same_in_a_longer_lobby(house: Redis) -> None:
    [player] = bots.create(1)

    def cost() -> int:
        with CaptureQueriesContext(connection) as seen:
            lobby_rows.in_lobby(player)
        return len(seen)

    for _ in range(2):
        registration.register(player, open_offer(entries_max=2, several_at_once=True))
    few = cost()
    for _ in range(3):
        registration.register(player, open_offer(entries_max=2, several_at_once=True))
    assert cost() == few


@pytest.mark.rule("E-03")
def test_pages_sell_a_further_entry_and_link_every_own_table(house: Redis, client: Client) -> None:
    announced = open_offer(entries_max=2, several_at_once=True, players_max=9, name="To come")
    tournament = multi(5, 2)
    [player] = bots.create(1)
    registration.register(player, announced)
    client.force_login(player)
    assert "Buy another entry" in client.get(f"/tournaments/{announced.pk}/").content.decode()
    seats = mine.my_seats(player)
    assert len(seats) == 2
    for address in ("/", f"/tournaments/{tournament.pk}/", f"/tournaments/{tournament.pk}/row/"):
        page = client.get(address).content.decode()
        for seat in seats:
            assert f'href="/tables/{seat.table}/">Table {seat.number}<' in page, address
    tab = client.get(f"/tournaments/{tournament.pk}/?tab=tables").content.decode()
    assert len(re.findall('<tr class="own">', tab)) == 2 < Table.objects.count()


@pytest.mark.rule("E-02")
def test_pages_offer_a_reentry_to_a_busted_player(house: Redis, client: Client) -> None:
    tournament = late(4, entries_max=2, players_max=4)
    _, entry = bust(tournament)
    sales.answer(entry.user, open_rebuy_offer(entry).pk, buy=False)
    client.force_login(entry.user)
    for address in (f"/tournaments/{tournament.pk}/", "/"):
        assert "Enter again" in client.get(address).content.decode()
    asked = client.get(f"/tournaments/{tournament.pk}/register/").content.decode()
    assert "Enter again" in asked


def test_seats_that_strangers_may_take_name_the_way_to_play_with_friends(house: Redis) -> None:
    [player] = bots.create(1)
    browser = Client()
    browser.force_login(player)
    later = timezone.now() + timedelta(hours=1)
    for offer, shown in (
        (open_offer(), True),
        (open_offer(password="friends only"), False),
        (open_offer(start="scheduled", starts_at=later), False),
    ):
        for address in ("", "register/"):
            page = browser.get(f"/tournaments/{offer.pk}/{address}").content.decode()
            assert ("To play only with friends" in page) is shown, (offer.pk, address)
    public = Tournament.objects.order_by("pk")[0]
    assert 'href="/clubs/"' in browser.get(f"/tournaments/{public.pk}/register/").content.decode()
    registration.register(player, public)
    for address in ("", "unregister/"):
        page = browser.get(f"/tournaments/{public.pk}/{address}").content.decode()
        assert "To play only with friends" not in page


@pytest.mark.parametrize(("most", "size"), [(2, 2), (9, 6)])
def test_a_table_is_no_larger_than_its_field(
    client: Client, house: Redis, most: int, size: int
) -> None:
    made = open_offer(players_max=most)
    row = lobby_rows.of_tournament(made, None)
    assert row.summary.seats_per_table == size
    assert ("heads_up" in row.kinds.split()) == (size == 2)
    for tab, words in (("overview", f"{size} seats per table"), ("rules", f"at most {size} at")):
        page = client.get(f"/tournaments/{made.pk}/", {"tab": tab})
        assert words in page.content.decode()
