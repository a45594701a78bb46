"""Number of tables, bounty players and kinds of deals as settings (T-05, N-02, Y-02)."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from redis import Redis

from accounts.models import User
from accounts.users import bots
from config.refusals import Refusal
from tables.templatetags.games import GAMES
from tests.tournaments.admin.forms import offer_form, template_form
from tests.tournaments.buying.rebuy_terms import ADD_ON, REBUYS
from tests.tournaments.cast import offer, open_offer, started, structure
from tests.tournaments.running.final_table import FinalTable
from tournaments.models import RoomBounty, Template, Tournament
from tournaments.pages import deal_panel
from tournaments.refusals import BadSpec
from tournaments.running import deals, operations, series
from tournaments.schedule import making
from tournaments.simulation import report
from tournaments.simulation.options import SimulationOptions, validate_simulation
from tournaments.simulation.simulation_run import SimulationRun


@pytest.fixture
def boss(house: Redis, client: Client) -> Client:
    """Client logged in as a superuser."""
    client.force_login(User.objects.create_superuser("Boss", "a long password"))
    return client


def test_the_rules_of_one_table_say_nothing_of_others(house: Redis, client: Client) -> None:
    told = {}
    for players in (6, 12):
        made = offer(seats_per_table=6, players_max=players)
        page = client.get(reverse("tournament", args=[made.pk]), {"tab": "rules"}).content.decode()
        told[players] = ["two tables differ" in page, "all tables play hand for hand" in page]
    assert told == {6: [False, False], 12: [True, True]}


@pytest.mark.rule("T-09", "T-07", "A-04")
def test_the_rules_say_when_tables_play_hand_for_hand_and_who_shares(
    house: Redis, client: Client
) -> None:
    said = ("before the money on", "before the final table on", "round of hand for hand shares")
    cash = {"cash_value": True, "buy_in": 1_000, "starting_stack": 1_000}
    told = []
    for fields in (
        {"bubble_places": 2, "tie_rule": "by_stack"},
        {"bubble_places": 0, "bubble_final": 2, "tie_rule": "share"},
        {"bubble_places": 0, "bubble_final": 0, "tie_rule": "share"},
        {"bubble_places": 2, "payout_preset": "winner_takes_all", **cash},
    ):
        made = offer(seats_per_table=6, players_max=12, **fields)
        page = client.get(reverse("tournament", args=[made.pk]), {"tab": "rules"}).content.decode()
        told.append([words in page for words in said])
    assert told == [
        [True, False, False],
        [False, True, True],
        [False, False, False],
        [False, False, False],
    ]


@pytest.mark.rule("P-02")
def test_the_rules_say_who_gets_the_odd_chip_in_each_game(house: Redis, client: Client) -> None:
    said = ("left of the button", "the highest card", "the high half")
    told = {}
    for variant in ("holdem", "omaha_hilo", "stud", "stud_hilo"):
        stud = {"structure": structure("stud")} if "stud" in variant else {}
        made = offer(variant=variant, limit="fixed_limit", **stud)
        page = client.get(reverse("tournament", args=[made.pk]), {"tab": "rules"}).content.decode()
        told[variant] = [f"{words}." in page or f"{words};" in page for words in said]
    assert told == {
        "holdem": [True, False, False],
        "omaha_hilo": [True, False, True],
        "stud": [False, True, False],
        "stud_hilo": [False, True, True],
    }


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_rules_say_the_chips_of_rebuys_and_of_the_add_on(
    house: Redis, client: Client, language: str
) -> None:
    made = open_offer(**REBUYS, **ADD_ON, starting_stack=1_500)
    client.cookies["django_language"] = language
    rules = client.get(reverse("tournament", args=[made.pk]), {"tab": "rules"}).content.decode()
    for words in {
        "en": ("Re-buys of 1,500 chips for 9.00", "one add-on of 2,000 chips for 7.00"),
        "de": ("Rebuys von 1.500 Chips für 9,00", "ein Add-on von 2.000 Chips für 7,00"),
    }[language]:
        assert words in rules


@pytest.mark.rule("T-05")
def test_the_number_of_tables_bounds_the_field(house: Redis, client: Client) -> None:
    made = started(12, tables_max=3, seats_per_table=4, players_max=12)
    assert made.tables_opened == 3
    rules = client.get(reverse("tournament", args=[made.pk]), {"tab": "rules"}).content.decode()
    assert "At most 3 tables are in play." in rules
    with pytest.raises(Refusal, match="have places for") as refused:
        offer(tables_max=3, seats_per_table=4, players_min=13, players_max=13)
    assert refused.value.allowed == {"tables": 3, "places": 12}
    several = {"entries_max": 2, "several_at_once": True, "start": "sit_and_go"}
    with pytest.raises(Refusal) as refused:
        offer(tables_max=3, seats_per_table=4, players_min=7, players_max=7, **several)
    assert refused.value.allowed["places"] == 6, "each player may sit at two tables at once"


@pytest.mark.rule("T-05")
def test_the_number_of_tables_is_refused_beside_its_field(boss: Client) -> None:
    add = reverse("admin:tournaments_tournament_add")
    errors = boss.post(add, offer_form(tables_max=2)).context["adminform"].form.errors
    assert errors["tables_max"] == ["2 tables have places for 18 players at most."]
    for wrong in (-1, "two"):
        errors = boss.post(add, offer_form(tables_max=wrong)).context["adminform"].form.errors
        assert list(errors) == ["tables_max"]
    assert not Tournament.objects.exists()
    assert boss.post(add, offer_form(tables_max=12)).status_code == 302
    with pytest.raises(CommandError, match="tables_max: 2 tables have places for 18 players"):
        call_command("simulate", "--options", "tables_max=2", stdout=StringIO())


@pytest.mark.rule("N-02")
def test_bounty_players_are_offered_in_forms_templates_and_series(boss: Client) -> None:
    ann, bob = bots.create(2)
    lines = f"{ann.name}: 25.00\n\n{bob.name}: 10"
    chosen = {ann.name: 2_500, bob.name: 1_000}
    add = reverse("admin:tournaments_tournament_add")
    assert boss.post(add, offer_form(bounty_players=lines)).status_code == 302
    made = Tournament.objects.get()
    assert made.bounty_players == chosen
    assert dict(made.room_bounties.values_list("user__name", "amount")) == chosen
    rules = boss.get(reverse("tournament", args=[made.pk]), {"tab": "rules"}).content.decode()
    assert f"The room pays 25.00 for knocking out {ann.name}." in rules

    form = template_form(bounty_players=lines, schedule="none", weekdays=[])
    answer = boss.post(reverse("admin:tournaments_template_add"), form)
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    template = Template.objects.get()
    assert template.offer["bounty_players"] == chosen
    change = reverse("admin:tournaments_template_change", args=[template.pk])
    shown = boss.get(change).context["adminform"].form["bounty_players"].value()
    assert shown == f"{ann.name}: 25.00\n{bob.name}: 10.00"
    assert series.create(template).room_bounties.count() == 2
    RoomBounty.objects.all().delete()

    first = open_offer(repeats=True, players_max=2, seats_per_table=2, bounty_players=chosen)
    following = making.follow(first)
    assert following is not None and following.room_bounties.count() == 2


@pytest.mark.rule("N-02")
@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("25.00", "A line looks like this"),
        ("Ann: much", "A line looks like this"),
        ("Ann: 0", "The bounty on Ann is an amount above nothing."),
        ("Ann: 99999999999999", "A line looks like this"),
        ("Ann: 9999999999.99\nBob: 0.02", "This amount is too large to be paid."),
        ("Nobody: 5", "There is no player named Nobody."),
        ("Ann: 5\nAnn: 6", "Ann is named twice."),
    ],
)
def test_bounties_on_unknown_players_are_refused_beside_their_field(
    boss: Client, lines: str, said: str
) -> None:
    User.objects.create_user("Ann", "a long password")
    answer = boss.post(
        reverse("admin:tournaments_tournament_add"), offer_form(bounty_players=lines)
    )
    errors = answer.context["adminform"].form.errors
    assert list(errors) == ["bounty_players"] and said in errors["bounty_players"][0]
    kept = boss.post(reverse("admin:tournaments_template_add"), template_form(bounty_players=lines))
    assert said in kept.context["adminform"].form.errors["bounty_players"][0]
    assert not Tournament.objects.exists() and not Template.objects.exists()


@pytest.mark.rule("N-02")
@pytest.mark.parametrize("wrong", [["Ann"], {"Ann": "5"}, {"Ann": -5}, "Ann", {"Ann": True}])
def test_json_bounties_without_amounts_are_refused(house: Redis, wrong: object) -> None:
    User.objects.create_user("Ann", "a long password")
    with pytest.raises(BadSpec) as refused:
        offer(bounty_players=wrong)
    assert refused.value.field == "bounty_players"


@pytest.mark.rule("Y-02")
def test_a_proposal_of_a_deal_needs_an_allowed_kind(house: Redis) -> None:
    final = FinalTable(deal_kinds=["icm", "chips"])
    user, tournament = final.users[0], final.tournament
    panel = deal_panel.of(tournament, user)
    assert panel is not None and [kind for kind, _words in panel.kinds] == ["chips", "icm"]
    final.refuse("kind_not_allowed", lambda: deals.propose(user, tournament.pk, "equal"))
    final.refuse("unknown_deal", lambda: deals.propose(user, tournament.pk, "most"))
    assert deals.propose(user, tournament.pk, "chips").kind == "chips"


@pytest.mark.rule("Y-02")
def test_the_kinds_of_deals_are_offered_shown_and_simulated(boss: Client) -> None:
    form = offer_form(deals_allowed="on", deal_kinds=["icm"])
    assert boss.post(reverse("admin:tournaments_tournament_add"), form).status_code == 302
    made = Tournament.objects.get()
    assert made.deal_kinds == ["icm"]
    rules = boss.get(reverse("tournament", args=[made.pk]), {"tab": "rules"}).content.decode()
    assert "Kinds of deals: ICM." in rules
    with pytest.raises(BadSpec, match="There are: equal, chips, icm"):
        offer(deal_kinds=["half"])
    with pytest.raises(CommandError, match="deal_kinds: This is no valid choice"):
        call_command("simulate", "--options", "deal_kinds=half", stdout=StringIO())
    kinds = set()
    for seed in range(12):
        options = validate_simulation(
            SimulationOptions(
                players=6, deals_allowed=True, deal_percent=100, deal_kinds=("chips",)
            )
        )
        course = SimulationRun(options, seed)
        course.run()
        kinds |= set(report.build(course, seed, [])["told"])
    assert kinds == {"deal: chips"}


@pytest.mark.rule("O-02")
def test_five_card_omaha_states_its_rule_on_every_page(boss: Client) -> None:
    assert {name: str(words) for name, words in GAMES.items() if "5" in name} == {
        "omaha5": "5-Card Omaha (2+3)",
        "omaha5_house": "5-Card Omaha (3+2)",
        "omaha5_hilo": "5-Card Omaha Hi-Lo (2+3)",
    }
    said = {"omaha5": "exactly two of the own", "omaha5_house": "exactly three of the own"}
    form = boss.get(reverse("admin:tournaments_tournament_add")).content.decode()
    for variant, sentence in said.items():
        made = open_offer(
            structure=structure(), variant=variant, limit="pot_limit", seats_per_table=8
        )
        words = str(GAMES[variant])
        assert words in form and words in boss.get(reverse("lobby")).content.decode()
        page = reverse("tournament", args=[made.pk])
        assert sentence in boss.get(page, {"tab": "rules"}).content.decode()
        operations.cancel(made.pk)
