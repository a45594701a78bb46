"""Operators create and run tournaments in the admin, each step with a reason."""

from __future__ import annotations

import re

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse
from redis import Redis

from accounts.models import User
from accounts.users import bots
from config import admin_site
from tables.models import Hand
from tests.tournaments.admin.forms import offer_form
from tests.tournaments.admin.steps import step
from tests.tournaments.cast import Arena, offer, open_offer, started
from tests.tournaments.club_scene import staff
from tests.tournaments.running.earlier_start import backdate
from tournaments import progress
from tournaments.entries import registration
from tournaments.models import AuditRow, Tournament
from tournaments.running import tick
from tournaments.schedule import making, options

REASON = {"reason": "because"}


@pytest.fixture
def boss(house: Redis, client: Client) -> Client:
    """Client logged in as a superuser."""
    client.force_login(User.objects.create_superuser("Boss", "a long password"))
    return client


@pytest.mark.rule("T-05")
def test_a_tournament_is_created_from_a_structure(boss: Client) -> None:
    answer = boss.post(reverse("admin:tournaments_tournament_add"), offer_form())
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    made = Tournament.objects.get()
    assert (made.state, made.starting_stack, made.structure_name) == ("announced", 3000, "regular")
    audit = AuditRow.objects.get(tournament=made)
    assert (str(audit.actor), audit.action, audit.reason) == ("Boss", "create", "for the evening")


def test_a_form_sent_twice_makes_one_tournament(boss: Client) -> None:
    add, form = reverse("admin:tournaments_tournament_add"), offer_form()
    assert boss.post(add, form).status_code == 302
    made = Tournament.objects.get()
    again = boss.post(add, form)
    said = f"sent already: it made tournament {made.pk}"
    assert again.status_code == 200 and said in again.content.decode()
    assert Tournament.objects.get() == made
    assert boss.post(add, offer_form()).status_code == 302
    page = boss.get(add).content.decode()
    tokens = re.findall(r'name="token" value="(\w{22})"', page + boss.get(add).content.decode())
    assert len(set(tokens)) == 2, "each shown form has its own token"


def test_a_form_overtaken_by_its_own_second_sending_leads_to_the_same_tournament(
    boss: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    add, form = reverse("admin:tournaments_tournament_add"), offer_form()
    check = making.check_itself
    first: list[Tournament] = []

    def check_and_be_overtaken(row: Tournament) -> None:
        check(row)
        if not first:
            first.append(row)
            assert boss.post(add, form).status_code == 302

    monkeypatch.setattr(making, "check_itself", check_and_be_overtaken)
    assert boss.post(add, form).status_code == 302
    assert Tournament.objects.count() == 1 and AuditRow.objects.count() == 1


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"players_min": 1}, "greater than or equal to 2"),
        ({"players_min": 50, "players_max": 20}, "not below the minimum"),
        ({"starts_at": ""}, "needs a time to start"),
        ({"repeats": "on"}, "time between two"),
        ({"starting_stack": 3}, "one big blind"),
        ({"buy_in": 10**9}, "too large to be paid"),
        ({"guarantee": 10**13}, "less than or equal"),
        ({"payout_preset": "mine"}, "There is no payout table of that name"),
        ({"buy_in": -1}, "greater than or equal to 0"),
    ],
)
def test_an_offer_that_cannot_be_played_is_refused(
    boss: Client, wrong: dict[str, object], message: str
) -> None:
    answer = boss.post(reverse("admin:tournaments_tournament_add"), offer_form(**wrong))
    assert answer.status_code == 200 and message in answer.content.decode()
    assert not Tournament.objects.exists()


@pytest.mark.rule("T-02")
def test_the_page_of_a_tournament_names_its_visibility(boss: Client) -> None:
    tournament = open_offer(seen_by="entered")
    page = boss.get(reverse("admin:tournaments_tournament_change", args=[tournament.pk]))
    row = re.search(r"field-seen_by.*?readonly\">([^<]*)<", page.content.decode(), re.DOTALL)
    assert row is not None and row[1] == "who is entered"


def test_a_step_needs_a_reason(boss: Client) -> None:
    tournament = open_offer()
    wrong = {" ": "This field is required", "why\0": "Null characters", "w" * 301: "at most 300"}
    for reason, words in wrong.items():
        page = boss.post(step("cancel", tournament), {"reason": reason})
        assert page.status_code == 200 and words in page.content.decode()
    tournament.refresh_from_db()
    assert tournament.state == "registering"


@pytest.mark.rule("T-12")
def test_cancelling_shows_the_refund_first_and_leaves_an_audit_row(boss: Client) -> None:
    tournament = open_offer()
    for bot in bots.create(3):
        registration.register(bot, tournament)
    page = boss.get(step("cancel", tournament)).content.decode()
    assert "33.00" in page
    assert boss.post(step("cancel", tournament), REASON).status_code == 302
    tournament.refresh_from_db()
    assert tournament.state == "cancelled"
    audit = AuditRow.objects.filter(action="cancel").get()
    assert (str(audit.actor), audit.reason) == ("Boss", "because")
    assert audit.details == {"before": "registering", "after": "cancelled"}


@pytest.mark.parametrize("ids", ["²", "x", "9" * 40, "-1", "٣"])
def test_a_step_without_tournament_ids_shows_an_empty_page(boss: Client, ids: str) -> None:
    page = boss.get(reverse("admin:tournaments_step", args=["cancel"]), {"ids": ids})
    assert page.status_code == 200 and page.context["chosen"] == []


def test_an_illegal_step_is_refused_and_changes_nothing(boss: Client) -> None:
    tournament = open_offer()
    boss.post(step("resume", tournament), REASON)
    tournament.refresh_from_db()
    assert tournament.state == "registering"
    assert not AuditRow.objects.filter(action="resume").exists()


@pytest.mark.parametrize("name", ["next_level", "more_time"])
def test_a_clock_is_set_only_for_the_level_that_its_row_named(boss: Client, name: str) -> None:
    tournament = started(2)
    tick.tick(tournament.pk)
    asks = step(name, tournament)
    field = f"item-{tournament.pk}"
    page = boss.get(asks).content.decode()
    assert "Now: Level 1: " in page
    found = re.search(f'name="{field}" value="([0-9]+)"', page)
    assert found is not None
    # The level ends by itself while the organiser reads the page.
    tournament.refresh_from_db()
    left_ms = progress.position(tournament, progress.time_ms(tournament)).ends_in_ms
    assert left_ms is not None
    backdate(tournament, left_ms + 1_000)
    page = boss.post(asks, REASON | {field: found[1]}, follow=True).content.decode()
    assert "Another level or break has begun meanwhile" in page
    assert not AuditRow.objects.filter(action=name).exists()
    again = re.search(f'name="{field}" value="([0-9]+)"', boss.get(asks).content.decode())
    assert again is not None and again[1] != found[1]
    boss.post(asks, REASON | {field: again[1]})
    assert AuditRow.objects.filter(action=name).exists()


def test_a_step_needs_the_permission_to_run_tournaments(house: Redis, client: Client) -> None:
    reader = User.objects.create_user("Reader", "a long password", is_staff=True)
    reader.user_permissions.add(Permission.objects.get(codename="view_tournament"))
    client.force_login(reader)
    tournament = open_offer()
    assert client.post(step("cancel", tournament), REASON).status_code == 403
    tournament.refresh_from_db()
    assert tournament.state == "registering"


def test_the_page_of_an_entry_shows_money_in_major_units(boss: Client) -> None:
    tournament = open_offer(buy_in=12_345, fee=678)
    [bot] = bots.create(1)
    entry = registration.register(bot, tournament)
    address = reverse("admin:tournaments_entry_change", args=[entry.pk])
    page = boss.get(address).content.decode()
    assert "123.45" in page and "6.78" in page
    assert "12345" not in page and ">678<" not in page and "cents" not in page
    assert "Bounty on the head" in page and "Buy-in paid" in page


def test_every_list_and_row_can_be_viewed(boss: Client) -> None:
    tournament = started(7, seats_per_table=3)
    Arena(tournament.pk).run()
    pages = ("structure", "tournament", "entry", "move", "knockout", "announcement", "auditrow")
    for page in pages:
        listed = boss.get(reverse(f"admin:tournaments_{page}_changelist"))
        assert listed.status_code == 200 and listed.context["cl"].result_count > 0, page
        row = listed.context["cl"].result_list[0]
        seen = boss.get(reverse(f"admin:tournaments_{page}_change", args=[row.pk]))
        assert seen.status_code == 200, page


def test_staff_who_run_tournaments_see_them_and_take_steps(house: Redis, client: Client) -> None:
    tournament = offer()
    client.force_login(staff("Rita", "run_tournament"))
    listed = reverse("admin:tournaments_tournament_changelist")
    assert tournament.name in client.get(listed).content.decode()
    chosen = {"action": "open_chosen", "_selected_action": [tournament.pk]}
    page = client.post(listed, chosen)
    done = client.post(page.headers["Location"], REASON, follow=True)
    assert done.status_code == 200 and "Registration is open." in done.content.decode()


def test_staff_who_rule_see_entries_and_what_came_of_a_ruling(house: Redis, client: Client) -> None:
    tournament = open_offer()
    entry = registration.register(bots.create(1)[0], tournament)
    client.force_login(staff("Rita", "rule_players"))
    listed = client.get(reverse("admin:tournaments_entry_changelist")).content.decode()
    out = reverse("admin:tournaments_take_out", args=[entry.pk])
    assert f'href="{out}"' in listed
    done = client.post(out, REASON, follow=True)
    assert done.status_code == 200
    assert "The player is taken out and has everything back." in done.content.decode()


def test_staff_who_send_messages_see_the_tournament(house: Redis, client: Client) -> None:
    tournament = open_offer()
    client.force_login(staff("Tom", "message_players"))
    page = reverse("admin:tournaments_message", args=[tournament.pk])
    form = client.get(page).context["form"]
    given = REASON | {"text": "Good luck!", "token": form["token"].value()}
    done = client.post(page, given, follow=True)
    assert done.status_code == 200
    assert AuditRow.objects.filter(action="message", tournament=tournament).exists()


def test_entries_are_filtered_by_any_tournament_and_list_the_latest(
    boss: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admin_site, "RELATED_LISTED", 2)
    first, second, third, last = (open_offer() for _ in range(4))
    for tournament in (first, third):
        registration.register(bots.create(1)[0], tournament)
    page = reverse("admin:tournaments_entry_changelist")
    listed = boss.get(page).content.decode()
    filtered = [f'tournament__id__exact={row.pk}"' for row in (first, second, third, last)]
    assert [named in listed for named in filtered] == [False, False, True, True]
    chosen = boss.get(page, {"tournament__id__exact": first.pk})
    assert [entry.tournament for entry in chosen.context["cl"].result_list] == [first]
    assert filtered[0] in chosen.content.decode()


def test_hole_cards_need_a_permission_and_each_view_is_logged(house: Redis, client: Client) -> None:
    tournament = started(2)
    arena = Arena(tournament.pk)
    done = arena.hand(arena.tables()[0])
    page = reverse("admin:tables_hand_change", args=[Hand.objects.get().pk])
    dealt = f'"seat":{done.setup.players[0].seat},"cards":["{done.setup.deck[0]}'

    reader = User.objects.create_user("Reader", "a long password", is_staff=True)
    reader.user_permissions.add(Permission.objects.get(codename="view_hand"))
    client.force_login(reader)
    seen = client.get(page).content.decode().replace("&quot;", '"')
    assert '"cards":["??","??"]' in seen and "deck" in seen
    assert "".join(f'"{card}",' for card in done.setup.deck[:3]) not in seen
    assert not LogEntry.objects.exists()

    reader.user_permissions.add(Permission.objects.get(codename="see_hole_cards"))
    client.force_login(User.objects.get(pk=reader.pk))
    assert '"cards":["??","??"]' in client.get(page).content.decode().replace("&quot;", '"')
    cards = reverse("admin:tables_hand_cards", args=[Hand.objects.get().pk])
    seen = client.post(cards, {"reason": "asked"}).content.decode().replace("&quot;", '"')
    assert '"cards":["??","??"]' not in seen and dealt[:10] in seen
    assert LogEntry.objects.get().get_change_message() == "looked at hole cards: asked"


@pytest.mark.rule("T-05")
def test_every_option_has_a_field_and_is_shown(boss: Client) -> None:
    page = boss.get(reverse("admin:tournaments_tournament_add")).content.decode()
    shown = boss.get(reverse("admin:tournaments_tournament_change", args=[open_offer().pk]))
    for name in options.OFFERED:
        if name not in ("structure", "structure_name"):
            assert f"field-{name}" in page, name
            assert f"field-{name}" in shown.content.decode(), name


@pytest.mark.rule("T-05")
def test_options_of_every_group_are_offered_in_the_admin(boss: Client) -> None:
    wanted = {
        "late_ends": "at_level",
        "late_value": 4,
        "entries_max": 3,
        "rebuys_max": 2,
        "rebuy_until_level": 4,
        "bounty": 5,
        "progressive_bp": "50",
        "special_prize": "A watch",
        "payout_table": '[{"fewest": 1, "most": 9, "shares": [7000, 3000]}]',
        "deals_allowed": "on",
        "variant": "holdem",
    }
    answer = boss.post(reverse("admin:tournaments_tournament_add"), offer_form(**wanted))
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    made = Tournament.objects.get()
    assert (made.late_ends, made.entries_max, made.bounty) == ("at_level", 3, 500)
    assert made.payout_table is not None
    assert made.payout_table[0]["shares"] == [7000, 3000] and made.deals_allowed
