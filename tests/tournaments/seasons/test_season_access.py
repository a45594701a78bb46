"""Seasons are seen by their readers, made by managers, and tell of no tournament they may not."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.admin.models import ADDITION, CHANGE, DELETION, LogEntry
from django.db.models import Model
from django.urls import reverse
from redis import Redis

from accounts.clubs.refusals import NotForRole
from accounts.models import ClubAuditRow
from config import limits
from config.refusals import Refusal
from tests.accounts.browsers import browser
from tests.tournaments.club_scene import (
    club_offer,
    club_started,
    join,
    make_club,
    people,
    person,
    staff,
)
from tests.tournaments.seasons.cast import finished, organiser, put_places, season, terms
from tournaments.entries import privacy
from tournaments.models import Tournament
from tournaments.seasons import access, making
from tournaments.seasons.models import Season
from tournaments.seasons.refusals import NotSeasonOrganiser, TooManySeasons
from tournaments.seasons.tables import counted_tournaments, forget_tables

pytestmark = pytest.mark.django_db

INSIDE = {"member", "entered", "manager", "owner", "staff"}
READING = ("season", "season_csv", "season_panel", "season_overlay")


@pytest.fixture(autouse=True)
def _tables_are_fresh() -> None:
    forget_tables()


def rows(*kinds: type[Model]) -> list[Any]:
    return [list(kind._default_manager.order_by("pk").values()) for kind in kinds]


def test_readers_of_a_season_see_every_tournament_that_it_counts(house: Redis) -> None:
    club = make_club()
    everybody = people(club, club_started(club))
    names = ("Ann-Lee", "Ben")  # no token of a page has a hyphen
    put_places(club_offer(club, name="Members"), names)
    put_places(club_offer(club, name="Open", watched_by="everybody"), names)
    put_places(club_offer(club, name="Invited", watched_by="invited", entered_by="invited"), names)
    locked = put_places(club_offer(club, name="Locked", watched_by="everybody"), names)
    Tournament.objects.filter(pk=locked.pk).update(password="hash", seen_by="known")
    for audience, counted in (
        ("everybody", {"Open"}),
        ("members", {"Secret evening", "Members", "Open"}),
    ):
        made = season(club, audience=audience)
        found = list(counted_tournaments(made))
        assert {row.name for row in found} == counted
        for kind, user in everybody.items():
            sees = access.may_see(user, made)
            assert sees is (audience == "everybody" or kind in INSIDE), kind
            whole = Tournament.objects.filter(pk__in=[row.pk for row in found])
            if sees:
                assert all(privacy.may_see(user, row) for row in whole), kind
            for name in READING:
                got = browser(user).get(reverse(name, args=[made.pk]))
                assert got.status_code == (200 if sees else 404), (kind, name)
                # The overlay fetches the panel.
                word = "/panel/" if name == "season_overlay" else "Ann-Lee"
                assert (word in got.content.decode()) is sees, (kind, name)
            listed = (
                reverse("season", args=[made.pk]) in browser(user).get("/seasons/").content.decode()
            )
            assert listed is sees, kind


def test_managers_alone_make_change_and_delete_a_season_of_their_club(house: Redis) -> None:
    club = make_club()
    everybody = people(club, club_started(club))
    made = season(club, audience="members")
    new = reverse("club_season_new", args=[club.slug])
    for kind, user in everybody.items():
        manages = kind in ("manager", "owner")
        assert access.may_manage(user, club) is manages, kind
        before = rows(Season, ClubAuditRow)
        for address in (
            new, reverse("season_change", args=[made.pk]), reverse("season_delete", args=[made.pk])
        ):  # fmt: skip
            status = browser(user).get(address).status_code
            assert status == (200 if manages else 302 if user is None else 404), (kind, address)
            if not manages:
                assert browser(user).post(address, FORM).status_code in (302, 404)
        if user is not None and not manages:
            for step in (
                lambda user=user: making.make_season(user, club, terms()),
                lambda user=user: making.change_season(user, made, terms(name="Mine")),
                lambda user=user: making.delete_season(user, made),
            ):
                with pytest.raises(NotForRole):
                    step()
        assert rows(Season, ClubAuditRow) == before, kind


FORM = {
    "name": "Winter", "first_day": "2026-01-01", "last_day": "2026-03-31", "zone": "Europe/Berlin",
    "series": "", "best_of": "5", "first_tie": "wins", "second_tie": "wins", "preset": "racing",
    "formula": "", "preview_field": "6", "preview_buy_in": "5.50", "audience": "members",
}  # fmt: skip


def test_a_manager_makes_changes_and_deletes_a_season_by_forms() -> None:
    club = make_club()
    max_ = join(club, "Max", "manager")
    put_places(club_offer(club, name="<b>Friday</b>"), ("Ann", "Ben"))
    page = browser(max_)
    form = page.get(reverse("club_season_new", args=[club.slug])).content.decode()
    assert '<option value="&lt;b&gt;Friday&lt;/b&gt;">' in form
    done = page.post(reverse("club_season_new", args=[club.slug]), FORM)
    made = Season.objects.get()
    assert done.headers["Location"] == reverse("season", args=[made.pk])
    assert (made.name, made.best_of, made.ties, made.audience) == ("Winter", 5, ["wins"], "members")
    assert made.formula.startswith("table(25, 18")
    change = reverse("season_change", args=[made.pk])
    assert 'value="2026-03-31"' in page.get(change).content.decode()
    own = FORM | {"preset": "own", "formula": " place ", "name": "Spring"}
    page.post(change, own)
    made.refresh_from_db()
    assert (made.name, made.formula) == ("Spring", "place")
    page.post(reverse("season_delete", args=[made.pk]))
    assert not Season.objects.exists()
    actions = ClubAuditRow.objects.filter(action__startswith="season").order_by("pk")
    assert [(row.action, row.actor) for row in actions] == [
        ("season_make", max_), ("season_change", max_), ("season_delete", max_)
    ]  # fmt: skip


WRONG: tuple[tuple[dict[str, str], str, str], ...] = (
    (
        {"preset": "own", "formula": "1 / (place - 2)"},
        "formula",
        "has no value at place 2 of 2",
    ),
    ({"preset": "own", "formula": "while(1)"}, "formula", "is unknown in a formula"),
    ({"preset": "own", "formula": "9^9^9^9^9"}, "formula", "is not expected here"),
    ({"preset": "own", "formula": "1" * 5_000}, "formula", "at most"),
    ({"preset": "own", "formula": ""}, "formula", "A formula is needed."),
    ({"preset": "nothing"}, "preset", "Select a valid choice"),
    ({"last_day": "2025-12-31"}, "last_day", "The last day is the first one or later"),
    ({"last_day": "9999-12-31"}, "last_day", "at most 800 days"),
    ({"first_day": "0001-01-01", "last_day": "0001-01-02"}, "last_day", "The last day is"),
    ({"zone": "Mars/Base"}, "zone", "Select a valid choice"),
    ({"best_of": "-1"}, "best_of", "greater than or equal to 0"),
    ({"best_of": "9" * 30}, "best_of", "less than or equal to 500"),
    ({"name": "\u202eevil"}, "name", "A season&#x27;s name has"),
    ({"name": ""}, "name", "This field is required."),
    ({"first_tie": "luck"}, "first_tie", "Select a valid choice"),
    ({"series": "a\u0000b"}, "series", "Null characters are not allowed"),
)


def test_wrong_values_are_refused_beside_their_field_and_change_nothing() -> None:
    club = make_club()
    made = season(club)
    before, owner = rows(Season, ClubAuditRow), browser(person("Olga"))
    for address in (
        reverse("club_season_new", args=[club.slug]), reverse("season_change", args=[made.pk])
    ):  # fmt: skip
        for wrong, field, words in WRONG:
            got = owner.post(address, FORM | wrong)
            text = got.content.decode()
            assert got.status_code == 200 and words in text, wrong
            assert f'id="id_{field}_error"' in text, wrong
            assert rows(Season, ClubAuditRow) == before, wrong


def test_a_season_that_is_deleted_while_it_is_changed_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made, owner = season(make_club()), browser(person("Olga"))
    checked = making.validated_terms

    def deleted_meanwhile(*given: Any) -> dict[str, Any]:
        Season.objects.all().delete()
        return checked(*given)

    monkeypatch.setattr(making, "validated_terms", deleted_meanwhile)
    assert owner.post(reverse("season_change", args=[made.pk]), FORM).status_code == 404
    assert not ClubAuditRow.objects.filter(action="season_change").exists()


def test_the_preview_shows_points_or_the_refusal_and_stores_nothing() -> None:
    page = browser(join(make_club(), "Max", "manager"))
    address = reverse("season_preview")

    def shown(**typed: str) -> str:
        return page.post(address, FORM | typed).content.decode()

    assert "<b>25</b>" in shown() and "<b>8</b>" in shown()
    assert "<b>1.50</b>" in shown(preset="own", formula="place * 1.5", preview_field="1")
    assert "Place 2 gets more than the place before." in shown(preset="own", formula="place")
    assert "has no value at place 1" in shown(preset="own", formula="1/0")
    assert "less than or equal to 500" in shown(preview_field="501")
    assert not Season.objects.exists()
    assert browser(None).post(address, FORM).status_code == 302
    for organises in (organiser(), person("Olga")):
        assert "<b>25</b>" in browser(organises).post(address, FORM).content.decode()
    for other in (person("Ann"), join(make_club("Otto", "Turn Toads"), "Mia")):
        assert browser(other).post(address, FORM).status_code == 403, "they make no season"


def test_organisers_make_seasons_of_the_room_and_nobody_else(house: Redis) -> None:
    finished("Ann", "Ben")
    page = browser(organiser())
    address = reverse("season_new")
    typed = FORM | {"first_day": "2026-11-01", "last_day": "2027-01-01"}
    made = page.post(address, typed)
    row = Season.objects.get()
    assert made.headers["Location"] == reverse("season", args=[row.pk]) and row.club is None
    for user in (person("Ann"), staff("Sam", "view_tournament", "credit_money")):
        assert browser(user).get(address).status_code == 403
        assert browser(user).post(address, typed).status_code == 403
        assert browser(user).get(reverse("season_change", args=[row.pk])).status_code == 404
        with pytest.raises(NotSeasonOrganiser):
            making.delete_season(user, row)
    assert Season.objects.count() == 1
    page.post(reverse("season_change", args=[row.pk]), typed | {"best_of": "7"})
    page.post(reverse("season_delete", args=[row.pk]))
    logged = LogEntry.objects.filter(object_id=str(row.pk)).order_by("pk")
    assert list(logged.values_list("action_flag", "user")) == [
        (flag, organiser().pk) for flag in (ADDITION, CHANGE, DELETION)
    ]
    assert "best of 7" in logged[1].change_message
    with pytest.raises(Refusal):
        making.make_season(organiser(), None, terms(audience="members"))


def test_a_club_has_a_bounded_number_of_seasons() -> None:
    club = make_club()
    made = season(club)
    Season.objects.bulk_create(
        Season(
            name="x", club=club, made_by=person("Olga"), formula="1",
            first_day=made.first_day, last_day=made.last_day,
        )
        for _ in range(limits.SEASONS_PER_CLUB_MAX - 1)
    )  # fmt: skip
    before = rows(Season, ClubAuditRow)
    with pytest.raises(TooManySeasons):
        season(club)
    assert rows(Season, ClubAuditRow) == before


def test_the_page_marks_the_own_row_and_the_file_and_panel_have_the_same_table() -> None:
    finished("Ann", "Ben", "Cid")
    finished("Ben", "Ann")
    made = season(best_of=1)
    page = browser(person("Ben")).get(reverse("season", args=[made.pk])).content.decode()
    assert page.count('class="own"') == 1 and "the best result counts" in page
    csv = browser(None).get(reverse("season_csv", args=[made.pk])).content.decode().splitlines()
    assert csv == [
        "rank,player,points,tournaments,wins,results",
        "1,Ann,3.00,2,1,3.00 (1.00)",
        "2,Ben,2.00,2,1,2.00 (2.00)",
        "3,Cid,1.00,1,0,1.00",
    ]
    panel = browser(None).get(reverse("season_panel", args=[made.pk]) + "?rows=2").content.decode()
    assert panel.count("<li") == 2 and "Cid" not in panel and "<html" not in panel
    german = browser(None).get(
        reverse("season", args=[made.pk]), headers={"Accept-Language": "de"}
    ).content.decode()  # fmt: skip
    assert "das beste Ergebnis zählt" in german
