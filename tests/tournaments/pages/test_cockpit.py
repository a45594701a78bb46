"""Cockpit of a tournament: one page for its organiser with the permitted steps."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import Group, Permission
from django.test import Client
from django.urls import reverse
from redis import Redis

from accounts.models import User
from accounts.users import groups
from tables.models import Table
from tests.tournaments.cast import BUY_IN, Arena, by_hands, open_offer, shove, somebody, started
from tests.tournaments.running.earlier_start import backdate
from tournaments import progress
from tournaments.models import AuditRow, Offer, Ruling, Tournament
from tournaments.pages import cockpit as cockpit_page
from tournaments.pages import tabs
from tournaments.running import tick

REASON = {"reason": "because"}
_LINKS = re.compile(r'href="(/(?:organise|admin/tournaments|admin/live)[^"]*)"')


@pytest.fixture
def boss(house: Redis, client: Client) -> Client:
    """Client logged in as a superuser."""
    client.force_login(User.objects.create_superuser("Boss", "a long password"))
    return client


def cockpit(tournament: Tournament) -> str:
    """Address of a cockpit."""
    return reverse("cockpit", args=[tournament.pk])


def _read(reader: Client, name: str, tournament: Tournament) -> str:
    return reader.get(reverse(name, args=[tournament.pk])).content.decode()


def test_the_cockpit_shows_clock_tables_players_and_open_offers(boss: Client) -> None:
    tournament = started(4, seats_per_table=2)
    entry = somebody(tournament)
    Offer.objects.create(
        tournament=tournament, entry=entry, kind="rebuy", price=1_000, chips=1_500, until_ms=10**13
    )
    page = boss.get(cockpit(tournament)).content.decode()
    assert entry.name in page and "Table 1, seat" in page and "Table 2, seat" in page
    assert page.count("1,500") >= 5 and "Open offers" in page and "Next level in" in page
    for words in ("Pause after the hand", "Message to all", "Disqualify", "Move", "Featured table"):
        assert words in page, words
    assert "every table stops after its hand" in page, "a button names its step"
    assert tournament.name in boss.get(reverse("organise")).content.decode()
    assert reverse("organise") in boss.get("/").content.decode()


def test_a_player_of_a_large_field_is_found_by_name(
    boss: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = started(6)
    assert 'role="search"' not in _read(boss, "cockpit", tournament)
    monkeypatch.setattr(tabs, "PLAYERS_PER_PAGE", 2)
    page = _read(boss, "cockpit", tournament)
    assert 'role="search"' in page and "Page 1 of 3" in page
    last = tournament.entries.latest("pk")
    address = cockpit(tournament)
    found = boss.get(address, {"player": last.name.upper()}).content.decode()
    assert re.findall(r'<td class="title">([^<]*)</td>', found) == [last.name]
    assert reverse("cockpit_disqualify", args=[last.pk]) in found and "Page 1" not in found
    for nobody in ("Zacharias", "%", "\0"):
        page = boss.get(address, {"player": nobody}).content.decode()
        assert "plays or is registered." in page and '<td class="title">' not in page


@pytest.mark.rule("E-05")
def test_the_cockpit_lists_the_offers_that_end_first(
    boss: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cockpit_page, "OFFERS_SHOWN", 2)
    tournament = started(3)
    entries = list(tournament.entries.order_by("pk"))
    for until_ms, entry in zip((10**13, 10**13 - 1, 10**13 - 2), entries, strict=True):
        row = Offer(tournament=tournament, entry=entry, kind="add_on", price=1_000, chips=1_500)
        row.until_ms = until_ms
        row.save()
    page = _read(boss, "cockpit", tournament)
    assert "3 are open; these end first." in page
    offered = re.findall(r"<td>([^<]*)<span class=\"under\">", page)
    assert offered == [entries[2].name, entries[1].name]
    Offer.objects.filter(entry=entries[2]).update(state="declined")
    assert "these end first" not in _read(boss, "cockpit", tournament)


def test_the_cockpit_names_the_bets_of_a_limit_like_the_clock(boss: Client) -> None:
    tournament = started(2, limit="fixed_limit")
    stakes = re.findall("<small>([^<]*· bets [^<]*)</small>", _read(boss, "cockpit", tournament))
    assert len(stakes) == 2, "those of the level and of the next one"
    wall = _read(boss, "clock", tournament)
    assert all(line in wall for line in stakes)


@pytest.mark.rule("L-05")
def test_the_level_clock_is_set_on_a_page_that_says_what_follows(boss: Client) -> None:
    tournament = started(2)
    tick.tick(tournament.pk)
    assert "Next level now" in _read(boss, "cockpit", tournament)
    asks = reverse("cockpit_step", args=[tournament.pk, "next_level"])
    page = boss.get(asks).content.decode()
    rows = dict(re.findall(r'<th scope="row">([^<]*)</th><td>([^<]*)</td>', page))
    assert rows["Now"].startswith("Level 1: ") and rows["Then"].startswith("Level 2: ")
    assert boss.post(asks, {"reason": ""}).status_code == 200, "a reason is asked for"
    assert not AuditRow.objects.filter(action="next_level").exists()
    assert boss.post(asks, REASON).status_code == 302
    tick.tick(tournament.pk)
    again = boss.post(asks, REASON).content.decode()
    assert "The clock was set a moment ago" in again
    assert AuditRow.objects.filter(action="next_level").count() == 1


@pytest.mark.parametrize("name", ["next_level", "more_time"])
def test_the_clock_is_set_only_for_the_level_that_the_page_named(boss: Client, name: str) -> None:
    tournament = started(2)
    tick.tick(tournament.pk)
    asks = reverse("cockpit_step", args=[tournament.pk, name])
    found = re.search('name="item" value="([0-9]+)"', boss.get(asks).content.decode())
    assert found is not None
    # The level ends by itself while the organiser reads the page.
    tournament.refresh_from_db()
    position = progress.position(tournament, progress.time_ms(tournament))
    assert position.ends_in_ms is not None
    backdate(tournament, position.ends_in_ms + 1_000)
    given = REASON | {"item": found[1]}
    page = boss.post(asks, given).content.decode()
    assert "Another level or break has begun meanwhile" in page
    assert not AuditRow.objects.filter(action=name).exists()
    # The page names the level in play now, whose clock may be set.
    again = re.search('name="item" value="([0-9]+)"', page)
    assert again is not None and again[1] != found[1]
    assert boss.post(asks, REASON | {"item": again[1]}).status_code == 302
    assert AuditRow.objects.filter(action=name).exists()


def test_a_clock_that_cannot_be_set_has_no_button(boss: Client) -> None:
    announced, by_number = open_offer(), by_hands(2, hands=3)
    assert "Next level now" not in _read(boss, "cockpit", announced)
    page = _read(boss, "cockpit", by_number)
    assert "Next level now" in page and "Five more minutes" not in page


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_ruling_asks_in_the_language_of_its_reader(boss: Client, language: str) -> None:
    tournament = started(4, seats_per_table=2)
    entry = somebody(tournament)
    boss.cookies["django_language"] = language
    asked = {
        ("cockpit_message", tournament.pk): ("Message to all", "Nachricht an alle"),
        ("cockpit_feature", tournament.pk): ("Featured table", "Featured Table"),
        ("cockpit_move", entry.pk): ("Move to another table", "An einen anderen Tisch setzen"),
        ("cockpit_disqualify", entry.pk): ("Disqualify", "Disqualifizieren"),
    }
    for (route, pk), words in asked.items():
        page = boss.get(reverse(route, args=[pk]))
        assert page.status_code == 200
        assert words[language == "de"] in page.content.decode(), route


def test_the_cockpit_of_a_finished_tournament_counts_its_players_and_shows_prizes(
    boss: Client,
) -> None:
    tournament = started(2)
    arena = Arena(tournament.pk)
    arena.choose = shove
    arena.run()
    page = boss.get(cockpit(tournament)).content.decode()
    players = re.search(r"<dt>Players</dt><dd>(.*?)</dd>", page)
    assert players is not None and players[1] == "2"
    assert page.count('data-label="Prize"') == 1 and 'data-label=""' not in page
    assert "<th>Place</th>" in page and '<th class="number">Prize</th>' in page
    assert "<th>Seat</th>" not in page and ">Chips</th>" not in page


def test_a_step_shows_its_effect_and_needs_a_reason(boss: Client) -> None:
    tournament = open_offer(buy_in=1_000)
    page = reverse("cockpit_step", args=[tournament.pk, "cancel"])
    shown = boss.get(page).content.decode()
    assert "everybody gets everything back" in shown and "Refund" in shown
    assert "players read it when you pause or cancel" in shown
    assert boss.post(page, {"reason": " "}).status_code == 200
    tournament.refresh_from_db()
    assert tournament.state == "registering"
    assert not AuditRow.objects.filter(action="cancel").exists()
    answer = boss.post(page, REASON)
    assert answer.status_code == 302 and answer["Location"] == cockpit(tournament)
    tournament.refresh_from_db()
    told = boss.get(cockpit(tournament)).content.decode()
    assert f"{tournament.name}: The tournament is cancelled; everybody gets everything" in told
    assert "Cancel with full refund" not in told, "what happened, not what was asked for"
    row = AuditRow.objects.get(action="cancel")
    assert (tournament.state, row.reason, str(row.actor)) == ("cancelled", "because", "Boss")
    assert boss.get(reverse("cockpit_step", args=[tournament.pk, "explode"])).status_code == 404
    refused = boss.post(reverse("cockpit_step", args=[tournament.pk, "resume"]), REASON)
    assert refused.status_code == 200 and refused.context["form"].errors


@pytest.mark.rule("T-15")
def test_players_are_moved_and_disqualified_from_the_cockpit(boss: Client) -> None:
    tournament = started(4, seats_per_table=3)
    entry = somebody(tournament)
    move = reverse("cockpit_move", args=[entry.pk])
    shown = boss.get(move)
    assert "goes on at the other table" in shown.content.decode()
    table = shown.context["form"].fields["to_table"].choices[0][0]
    assert boss.post(move, {"to_table": table, "reason": ""}).status_code == 200
    assert not Ruling.objects.exists()
    assert boss.post(move, REASON | {"to_table": table})["Location"] == cockpit(tournament)
    out = reverse("cockpit_disqualify", args=[entry.pk])
    asked = boss.get(out).content.decode()
    assert "leave play" in asked and "<td>1,500</td>" in asked
    assert boss.post(out, REASON)["Location"] == cockpit(tournament)
    assert f"{tournament.name}: The player is disqualified" in boss.get("/").content.decode()
    assert set(Ruling.objects.values_list("kind", flat=True)) == {"move", "disqualify"}
    page = boss.get(cockpit(tournament)).content.decode()
    came = re.findall(r'under">(.*?) · because</span></td><td class="number">(.*?)</td>', page)
    # A player who is to go out is not moved any more.
    to = f"to table {Table.objects.get(pk=table).number}"
    assert came == [("disqualified", "after the hand"), (to, "not carried out")]
    arena = Arena(tournament.pk)
    for number in arena.tables():
        arena.step(number)
    assert '<td class="number">done</td>' in boss.get(cockpit(tournament)).content.decode()


@pytest.mark.rule("T-08")
def test_nobody_is_to_be_moved_where_there_is_no_other_table(boss: Client) -> None:
    tournament = started(3)
    entry = somebody(tournament)
    assert reverse("cockpit_move", args=[entry.pk]) not in _read(boss, "cockpit", tournament)
    asked = boss.get(reverse("cockpit_move", args=[entry.pk])).content.decode()
    assert "No other table has a free seat." in asked


@pytest.mark.rule("T-15")
def test_a_disqualified_player_gets_place_and_prize_as_the_page_says(boss: Client) -> None:
    shares = [{"fewest": 2, "most": 100, "shares": [5_000, 3_000, 2_000]}]
    tournament = started(3, payout_table=shares)
    entry = somebody(tournament)
    page = reverse("cockpit_disqualify", args=[entry.pk])
    assert "gets the prize of the place" in boss.get(page).content.decode()
    boss.post(page, REASON)
    arena = Arena(tournament.pk)
    arena.step(arena.tables()[0])
    entry.refresh_from_db()
    assert (entry.state, entry.place, entry.prize) == ("disqualified", 3, 3 * BUY_IN // 5)


def test_a_message_is_sent_and_a_table_featured_from_the_cockpit(boss: Client) -> None:
    tournament = started(2)
    page = reverse("cockpit_message", args=[tournament.pk])
    token = boss.get(page).context["form"]["token"].value()
    sent = REASON | {"text": "Dinner is served", "token": token}
    assert boss.post(page, sent)["Location"] == cockpit(tournament)
    assert AuditRow.objects.get(action="message").details["text"] == "Dinner is served"
    told = boss.get(cockpit(tournament)).content.decode()
    assert f"{tournament.name}: The message is sent." in told
    assert boss.get(reverse("cockpit_feature", args=[tournament.pk])).status_code == 200


def test_words_that_players_read_have_no_hidden_signs(boss: Client) -> None:
    tournament = started(2)
    page = reverse("cockpit_message", args=[tournament.pk])
    token = boss.get(page).context["form"]["token"].value()
    lines = REASON | {"text": "Dinner\r\nis served", "token": token}
    hidden = lines | {"text": "Dinner \u202eis served"}
    refused = boss.post(page, hidden)
    assert "signs that cannot be shown" in refused.content.decode()
    pause = reverse("cockpit_step", args=[tournament.pk, "pause"])
    assert "cannot be shown" in boss.post(pause, {"reason": "fi\u200bre"}).content.decode()
    tournament.refresh_from_db()
    assert tournament.state == "running"
    assert not AuditRow.objects.filter(action__in=("message", "pause")).exists()
    assert boss.post(page, lines).status_code == 302, "lines are no hidden signs"


@pytest.mark.parametrize("language", ["en", "de"])
def test_an_observer_sees_no_button_for_refused_steps(
    house: Redis, client: Client, language: str
) -> None:
    groups.keep_observers()
    olaf = User.objects.create_user("Olaf", "a long password", is_staff=True)
    olaf.groups.add(Group.objects.get(name="Observers"))
    client.force_login(olaf)
    client.cookies["django_language"] = language
    played, ahead = started(2), open_offer(name="Monday")
    pages = [reverse("organise"), cockpit(played), cockpit(ahead)]
    pages += [reverse(f"admin:tournaments_{name}_changelist") for name in ("tournament", "entry")]
    pages += [reverse("admin:tournaments_tournament_change", args=[played.pk])]
    for page in pages:
        shown = client.get(page)
        assert shown.status_code == 200, page
        for link in set(_LINKS.findall(shown.content.decode())):
            assert client.get(link.replace("&amp;", "&")).status_code != 403, (page, link)
    listed = client.get(pages[3]).content.decode()
    assert "cancel_chosen" not in listed and "pause_chosen" not in listed
    assert client.get(reverse("cockpit_step", args=[played.pk, "pause"])).status_code == 403


def test_a_cockpit_needs_a_staff_permission(house: Redis, client: Client) -> None:
    tournament = open_offer()
    assert client.get(cockpit(tournament)).status_code == 302
    player = User.objects.create_user("Player", "a long password")
    player.user_permissions.add(Permission.objects.get(codename="view_tournament"))
    client.force_login(player)
    assert client.get(cockpit(tournament)).status_code == 403
    assert client.get(reverse("organise")).status_code == 403
