"""Own statistics, public profiles by choice, and meetings that obey the audiences."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from tables.models import Table
from tables.ring.models import RingSession
from tables.statistics import sharing
from tables.statistics.drawing import sum_graph
from tables.statistics.models import PlayerCounts, StatisticsChoice
from tests.accounts.browsers import browser
from tests.tables.ring.room import cast as ring_cast
from tests.tournaments.club_scene import club_offer, join, make_club, person
from tests.tournaments.seasons.cast import finished, put_places
from tournaments.models import Entry, KnockOut, Tournament
from tournaments.pages.figures.words import percent
from tournaments.queries.figures import counts, meetings, results
from tournaments.seasons.models import Achievement

pytestmark = pytest.mark.django_db

BOTH = ("Ann", "Ben")


def read(user: User | None, name: str, *args: object) -> str:
    answer = browser(user).get(reverse(name, args=args))
    assert answer.status_code == 200
    return answer.content.decode()


def count(user: User, director: str, game: int, **counters: int) -> None:
    PlayerCounts.objects.create(
        user=user, director=director, game=game, variant="holdem", **counters
    )


def paid(made: Tournament, name: str, cost: int, prize: int) -> None:
    Entry.objects.filter(tournament=made, name=name).update(paid_buy_in=cost, prize=prize)


def test_the_own_page_has_figures_graphs_and_the_tables_behind_them() -> None:
    first, second = finished(*BOTH), finished("Ben", "Ann")
    ann = person("Ann")
    paid(first, "Ann", 1_000, 1_900)
    paid(second, "Ann", 1_000, 0)
    counters = {"hands": 200, "voluntary": 50, "raised": 31, "three_bet_chances": 40,
                "three_bets": 3, "played_ms": 5_400_000, "net": -500}  # fmt: skip
    count(ann, "tournament", first.pk, **counters)
    ring = ring_cast.game()
    count(ann, "ring", ring.pk, **counters)
    page = read(ann, "statistics")
    for figure in ("400", "25.0 %", "15.5 %", "7.5 %", "3.0", "-1.00", "-5.0 %", "50.0 %"):
        assert f"<dd>{figure}<" in page, figure
    assert page.count("<polyline") == 1 and "Sum of all results: -1.00 now" in page
    assert page.count(first.name) >= 2 and "11.00" in page, "table, and stake by game"
    assert "-5.00" in page, "chips of ring games are money"


@pytest.mark.rule("E-03", "E-08")
def test_a_merged_entry_was_paid_and_counts() -> None:
    made, ann = finished(*BOTH), person("Ann")
    paid(made, "Ann", 1_000, 1_500)
    whole = Entry.objects.get(tournament=made, user=ann)
    Entry.objects.create(
        tournament=made, user=ann, name="Ann", number=9, slot=2, state="merged", merged_into=whole,
        place=2, paid_buy_in=1_000, paid_fee=100, bounties_won=250,
    )  # fmt: skip
    page = read(ann, "statistics")
    for figure in ("-3.50", "-16.7 %", "100.0 %"):
        assert f"<dd>{figure}<" in page, figure
    sums = results.result_sums(ann, Tournament.objects.all())
    assert (sums.entries, sums.cost, sums.back) == (2, 2_100, 1_750)


def test_figures_are_sums_of_more_results_than_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "RESULTS_MAX", 2)
    ann = person("Ann")
    for prize in (500, 0, 1_700):
        paid(finished(*BOTH), "Ann", 1_000, prize)
    page = read(ann, "statistics")
    assert "<dd>-8.00<" in page and "Sum of all results: -8.00 now, -15.00 at the lowest" in page
    assert page.count("/ 2</td>") == 2
    drawn = results.tournament_results(ann, Tournament.objects.all())
    assert [one.profit for one in drawn] == [-1_000, 700]
    monkeypatch.setattr(Entry, "from_db", None)  # with their tournaments, objects are much
    assert results.tournament_results(ann, Tournament.objects.all()) == drawn
    empty = results.result_sums(person("Cid"), Tournament.objects.all())
    assert empty == results.ResultSums(0, 0, 0, 0, 0, None)


def test_counters_of_many_tournaments_are_read_some_rows_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ann = person("Ann")
    for _ in range(5):
        count(ann, "tournament", finished(*BOTH).pk, hands=3)
    monkeypatch.setattr(counts, "ROWS_AT_ONCE", 2)
    for rows in (Tournament, PlayerCounts):
        monkeypatch.setattr(rows, "from_db", None)  # an object for each game of years is much
    [game] = counts.counts_by_game(ann, Tournament.objects.all(), private_too=True)
    assert (game.variant, game.price, game.counters.hands) == ("holdem", 1_100, 15)


def test_ring_stays_are_drawn_and_those_of_private_games_are_told_to_nobody_else() -> None:
    ann = person("Ann")
    for name, password in (("Open", ""), ("Secret", "hash")):
        game = ring_cast.game(name=name)
        type(game).objects.filter(pk=game.pk).update(password=password)
        count(ann, "ring", game.pk, hands=7)
        for result in (500, -200):
            RingSession.objects.create(
                game=game, user=ann, name="Ann", state="left", bought=1_000,
                left_with=1_000 + result, hands=7, ended_at=timezone.now(),
            )  # fmt: skip
    assert "Secret" in read(ann, "statistics")
    sharing.set_public(ann, public=True)
    page = read(None, "player", ann.pk)
    assert "Open" in page and "Secret" not in page and "<dd>7<" in page


def test_the_sum_of_ring_stays_is_of_more_than_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "RESULTS_MAX", 2)
    ann, games = person("Ann"), [ring_cast.game(name="Open"), ring_cast.game(name="Secret")]
    type(games[1]).objects.filter(pk=games[1].pk).update(password="hash")
    for game, result in ((0, 4_000), (1, 300), (0, 500), (0, -200)):
        RingSession.objects.create(
            game=games[game], user=ann, name="Ann", state="left", bought=1_000,
            left_with=1_000 + result, hands=7, ended_at=timezone.now(),
        )  # fmt: skip
    page = read(ann, "statistics")
    assert "Sum of all results: 46.00 now, 43.00 at the lowest, 48.00 at the highest" in page
    sharing.set_public(ann, public=True)
    assert "Sum of all results: 43.00 now, 40.00 at the lowest" in read(None, "player", ann.pk)


def test_statistics_are_private_until_their_player_shows_them() -> None:
    finished(*BOTH)
    ann, ben, cid = person("Ann"), person("Ben"), person("Cid")
    address = reverse("player", args=[ann.pk])
    assert browser(None).get(address).status_code == 404
    assert browser(cid).get(address).status_code == 404, "as for a number of nobody"
    assert browser(cid).get(reverse("player", args=[10**9])).status_code == 404
    assert "are private" in read(ben, "player", ann.pk), "they met"
    assert "VPIP" not in read(ben, "player", ann.pk)
    assert browser(ann).get(address).headers["Location"] == reverse("statistics")
    browser(ann).post(reverse("statistics"), {"public": "1"})
    assert StatisticsChoice.objects.get().public
    assert "VPIP" in read(None, "player", ann.pk) and "VPIP" in read(cid, "player", ann.pk)
    browser(ann).post(reverse("statistics"), {"public": "nonsense"})
    assert browser(None).get(address).status_code == 404
    assert browser(None).post(reverse("statistics")).status_code == 302
    sharing.set_public(ann, public=True)
    User.objects.filter(pk=ann.pk).update(is_active=False)
    assert browser(None).get(address).status_code == 404, "banned or deleted"


def test_meetings_count_places_of_common_tournaments() -> None:
    finished("Ann", "Ben", "Cid")
    finished("Ben", "Cid", "Ann")
    finished("Ann", "Dan")
    page = read(person("Ann"), "player", person("Ben").pk)
    assert "I was ahead</dt><dd>1<" in page and "I was behind</dt><dd>1<" in page
    assert page.count("/ 3</td>") == 4
    assert browser(person("Ben")).get(reverse("player", args=[person("Dan").pk])).status_code == 404


def test_meetings_list_the_newest_of_many_tournaments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meetings, "SHOWN_MAX", 2)
    made = [finished(*BOTH), finished("Ben", "Ann"), finished(*BOTH), finished(*BOTH)]
    for number, one in enumerate(made):
        Tournament.objects.filter(pk=one.pk).update(
            name=f"Evening {number}", finished_at=timezone.now() - timedelta(days=9 - number)
        )
    page = read(person("Ann"), "player", person("Ben").pk)
    assert "I was ahead</dt><dd>3<" in page and "I was behind</dt><dd>1<" in page
    assert [f"Evening {number}" in page for number in range(4)] == [False, False, True, True]
    assert page.index("Evening 3") < page.index("Evening 2")


def test_knock_outs_of_common_tournaments_are_counted() -> None:
    ann, ben = person("Ann"), person("Ben")
    for names, winner in ((BOTH, "Ann"), (BOTH, "Ann"), (("Ann", "Ben", "Cid"), "Cid")):
        made = finished(*names)
        table = Table.objects.create(director="tournament", game=made.pk, number=1, seats_max=6)
        entries = {entry.name: entry for entry in made.entries.all()}
        KnockOut.objects.create(
            tournament=made, entry=entries["Ben"], order=1, round=0, table=table, hand=3,
            stack=900, button_distance=1, winners=[[entries[winner].pk, 900]],
        )  # fmt: skip
    assert "I knocked out</dt><dd>2<" in (page := read(ann, "player", ben.pk))
    assert "Knocked me out</dt><dd>0<" in page
    assert "Knocked me out</dt><dd>2<" in read(ben, "player", ann.pk)


def test_a_player_is_compared_by_name_and_no_name_is_told() -> None:
    finished(*BOTH)
    person("Cid")
    page, address = browser(person("Ann")), reverse("statistics")
    met = page.get(address, {"player": " bEN "})
    assert met.headers["Location"] == reverse("player", args=[person("Ben").pk])
    for name in ("Cid", "Nobody", "x" * 500, "a\u0000b"):
        refused = page.get(address, {"player": name})
        assert "Nobody of this name has met you or shows statistics." in refused.content.decode()


def test_meetings_and_public_pages_obey_the_audiences_of_clubs() -> None:
    club = make_club()
    mia = join(club, "Mia")
    ann = person("Ann")
    members = put_places(club_offer(club, name="Members evening"), ("Ann", "Mia"))
    invited = put_places(
        club_offer(club, name="Invited evening", watched_by="invited", entered_by="invited"),
        ("Ann", "Dan"),
    )
    for made in (members, invited):
        count(ann, "tournament", made.pk, hands=5)
        Achievement.objects.create(
            user=ann, tournament=made, kind="first_win" if made == members else "first_prize"
        )
    sharing.set_public(ann, public=True)
    for viewer, sees in (
        (None, ()), (person("Stan"), ()), (mia, ("Members",)),
        (person("Dan"), ("Invited",)), (person("Olga"), ("Members", "Invited")),
    ):  # fmt: skip
        page = read(viewer, "player", ann.pk)
        for word in ("Members", "Invited"):
            assert (f"{word} evening" in page) is (word in sees), (viewer, word)
        assert f"<dd>{5 * len(sees)}<" in page, viewer
        assert ("First win" in page) is ("Members" in sees)
    assert "Our meetings" in read(mia, "player", ann.pk)
    mia.memberships.all().delete()
    Entry.objects.filter(user=mia).update(state="unregistered")
    assert "Members evening" not in read(mia, "player", ann.pk)


def test_sums_are_drawn_between_their_extremes() -> None:
    assert sum_graph([]) is None and sum_graph([5]) is None
    graph = sum_graph([300, -100, -400])
    assert graph is not None
    assert (graph.lowest, graph.highest, graph.last, graph.zero) == (-200, 300, -200, 96.0)
    assert graph.points == "0.0,96.0 213.3,0.0 426.7,32.0 640.0,160.0"
    flat = sum_graph([0, 0, 0])
    assert flat is not None and flat.points.endswith("640.0,0.0")
    long = sum_graph([1] * 5_000)
    assert long is not None and len(long.points.split()) <= 420
    assert long.points.endswith("640.0,0.0"), "the last sum is drawn"


def test_shares_are_rounded_half_up_with_their_sign() -> None:
    assert [percent(*pair) for pair in ((1, 3), (1, 2_000), (-1, 3), (-1, 10_000), (0, 0))] == [
        "33.3 %", "0.1 %", "-33.3 %", "0.0 %", "–"
    ]  # fmt: skip


def test_results_of_running_and_cancelled_tournaments_are_no_figures() -> None:
    running, cancelled = finished(*BOTH, name="Running"), finished(*BOTH, name="Cancelled")
    Tournament.objects.filter(pk=running.pk).update(state="running", finished_at=None)
    Tournament.objects.filter(pk=cancelled.pk).update(
        state="cancelled", finished_at=timezone.now() - timedelta(hours=1)
    )
    page = read(person("Ann"), "statistics")
    assert "Running" not in page and "Cancelled" not in page and "<dd>0<" in page
