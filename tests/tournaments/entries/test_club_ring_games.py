"""A club's ring game is known, watched and played by its audience, at every address and stream."""

from __future__ import annotations

import pytest
from django.urls import reverse
from redis import Redis

from accounts.clubs import members
from accounts.models import ClubRole, Transfer
from config import limits
from tables.dealer import director
from tables.models import Table
from tables.ring import audiences
from tables.ring.models import RingAuditRow, RingGame, RingSession, WaitingPlayer
from tables.ring.pages.lobby import shared_games
from tables.ring.sessions import sit_down
from tests.accounts.browsers import browser
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import Site
from tests.tables.ring.room import cast
from tests.tournaments.api.asking import by_session, get, refused, token
from tests.tournaments.club_ring_scene import (
    MANAGES,
    NAME,
    OUTSIDE,
    club_ring,
    people,
    playing,
    seated,
)
from tests.tournaments.club_scene import join, make_club, person
from tests.tournaments.club_walk import addresses, follow, read
from tournaments.api.shared import forget_answers
from tournaments.queries.figures import results

__all__ = ["site"]

PLAYERS = ("Patricia", "Quentin")


@pytest.fixture(autouse=True)
def fresh_games() -> None:
    """Forget the shared rows and answers of the test before."""
    shared_games.forget()
    forget_answers()


def names_in(text: str) -> list[str]:
    """Names of the game and its players in a page."""
    return [name for name in (NAME, *PLAYERS) if name in text]


def facts() -> list[object]:
    """Every value that a stranger's request could change."""
    kinds = (RingSession, WaitingPlayer, RingAuditRow, Transfer, RingGame, Table)
    return [list(kind._default_manager.order_by("pk").values()) for kind in kinds]


def test_no_address_tells_outsiders_of_a_game_for_members(house: Redis) -> None:
    club = make_club()
    hand = playing(house, club, club_ring(club))
    everybody = people(club)
    before = facts()
    for kind in ("nobody", "manager of another", "other staff"):
        looking = browser(everybody[kind])
        for address, named in addresses(hand, club.slug):
            got = looking.get(address)
            assert names_in(read(got)) == [], (kind, address)
            posted = looking.post(address, {"reason": "x", "amount": "50", "on": "1"})
            assert names_in(read(posted)) == [], (kind, address)
            as_json = looking.post(address, '{"amount": 5000}', content_type="application/json")
            assert names_in(read(as_json)) == [], (kind, address)
            if named and "tournament" not in address and "organise" not in address:
                statuses = {got.status_code, posted.status_code}
                malformed = {400} if "/api/" in address else set()
                assert statuses <= {302, 401, 404, 405} | malformed, (kind, address, statuses)
    assert facts() == before


@pytest.mark.parametrize("watched_by", ["everybody", "members"])
def test_each_audience_sees_the_game_at_every_address(house: Redis, watched_by: str) -> None:
    club = make_club()
    ring = club_ring(club, watched_by)
    hand = playing(house, club, ring)
    for kind, user in people(club).items():
        sees = watched_by == "everybody" or kind not in OUTSIDE
        pk = None if user is None else user.pk
        assert director.may_see("ring", ring.pk, pk) is sees, kind
        assert audiences.listable(user).filter(pk=ring.pk).exists() is sees, kind
        looking = browser(user)
        game = looking.get(reverse("ring", args=[ring.pk]))
        assert game.status_code == (200 if sees else 404), kind
        for address in (
            reverse("table", args=[hand.table]),
            reverse("hands", args=[hand.table]),
            reverse("hand", args=[hand.table, hand.number]),
            reverse("hand_phh", args=[hand.table, hand.number]),
            reverse("ring_panel", args=[hand.table]),
        ):
            assert looking.get(address).status_code == (200 if sees else 404), (kind, address)
        for address in ("/ring/", reverse("club", args=[club.slug])):
            found = NAME in looking.get(address).content.decode()
            assert found is sees, (kind, address)
        rows = looking.get("/ring/rows.json").json()["games"]
        assert bool(rows) is (watched_by == "everybody"), "all visitors share the rows"
        member = kind in ("member", "manager", "owner")
        offers = f"/ring/{ring.pk}/sit" in game.content.decode()
        assert offers is (sees and member), (kind, "a seat is offered to members who do not play")
        if user is not None:
            listed = get("/ring-games", token(user, "watch")).json()["items"]
            assert [row["club"] for row in listed] == ([club.pk] if sees else []), kind
        running = looking.get(reverse("club_ring", args=[club.slug, ring.pk])).status_code
        other = 302 if kind == "nobody" else 404
        assert running == (200 if kind in MANAGES else other), kind
        assert director.club_of("ring", ring.pk) == club.pk


def test_a_private_game_of_a_club_is_seen_by_players_and_managers(house: Redis) -> None:
    club = make_club()
    ring = club_ring(club, password="rosebud")  # nosec B106
    [patricia] = [
        sit_down.sit(row, ring.pk, amount=cast.BUY_IN, password="rosebud")  # nosec B106
        for row in [cast.player("Patricia")]
        if join(club, row.name)
    ]
    everybody = people(club)
    admitted = audiences.admitted_to(
        ring.pk, {None if user is None else user.pk for user in everybody.values()}
    )
    seeing = {kind for kind, user in everybody.items() if user and user.pk in (admitted or ())}
    assert seeing == {"seated", "staff", *MANAGES}
    members.remove(club, person("Olga"), patricia.user)
    cast.boundary(house, cast.table_of(ring))
    assert audiences.admitted_to(ring.pk, {patricia.user_id}) == set()


def test_only_members_sit_down_and_wait(house: Redis) -> None:
    club = make_club()
    shown, hidden = club_ring(club, "everybody", seats_max=2), club_ring(club, seats_max=2)
    stan, olga = cast.player("Stan"), person("Olga")
    people(club)
    sitting, waiting = f"/ring-games/{shown.pk}/sessions", f"/ring-games/{shown.pk}/waiting"
    looking, before = browser(stan), facts()
    for answer in (
        by_session(looking, sitting, {"amount": cast.BUY_IN}),
        by_session(looking, sitting, {"amount": cast.BUY_IN, "table": cast.table_of(shown).pk}),
        by_session(looking, waiting, {}),
    ):
        refused(answer, 409, "members_only")
        assert "Only members of River Rats sit down at this game." in answer.json()["detail"]
    page = looking.post(reverse("ring_sit", args=[shown.pk]), {"amount": "100"})
    assert "Only members of River Rats" in page.content.decode()
    for path, wish in (("sessions", {"amount": cast.BUY_IN}), ("waiting", {})):
        refused(by_session(looking, f"/ring-games/{hidden.pk}/{path}", wish), 404, "not_found")
    # Staff who manage every club play where they are members.
    sid = browser(person("Sid"))
    refused(by_session(sid, sitting, {"amount": cast.BUY_IN}), 409, "members_only")
    assert facts() == before
    join(club, "Stan")
    assert by_session(looking, sitting, {"amount": cast.BUY_IN}).status_code == 201
    members.remove(club, olga, stan)
    cast.boundary(house, cast.table_of(shown))
    assert cast.balance(stan) == cast.BALANCE
    refused(by_session(looking, sitting, {"amount": cast.BUY_IN}), 409, "members_only")


def test_a_former_member_leaves_with_the_stack_and_loses_the_place(house: Redis) -> None:
    club = make_club()
    ring = club_ring(club, seats_max=2)
    stays = seated(club, ring, *PLAYERS)
    table, olga = cast.table_of(ring), person("Olga")
    waiting = browser(people(club)["member"])
    address = f"/ring-games/{ring.pk}/waiting"
    assert by_session(waiting, address, {}).status_code == 200
    cast.begin(house, table)
    members.remove(club, olga, stays[0].user)
    members.leave(club, person("Mia"))
    assert not WaitingPlayer.objects.exists()
    stays[0].refresh_from_db()
    assert stays[0].leaving and stays[0].state == RingSession.State.SEATED, "the hand is played"
    assert director.may_see("ring", ring.pk, stays[0].user_id)
    cast.fold_around(house, table)
    cast.boundary(house, table)
    stays[0].refresh_from_db()
    assert stays[0].state == RingSession.State.LEFT
    assert cast.balance(stays[0].user) == cast.BALANCE - cast.BUY_IN + stays[0].left_with
    assert not director.may_see("ring", ring.pk, stays[0].user_id)
    assert director.may_see("ring", ring.pk, stays[1].user_id)
    cast.law()


def test_a_former_member_follows_the_table_until_the_seat_is_left(
    site: Site, house: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "SESSIONS_CHECK_MS", 400)
    club = make_club()
    ring = club_ring(club)
    stays = seated(club, ring, *PLAYERS)
    table = cast.table_of(ring)
    stream = f"table:{table.pk}"
    cast.begin(house, table)
    leaver, other = [site.client(stay.user) for stay in stays]
    for client in (leaver, other):
        assert follow(client, stream) == "snapshot", "the seat is asked, and nothing else"
    members.remove(club, person("Olga"), stays[0].user)
    cast.fold_around(house, table)
    cast.boundary(house, table)
    assert leaver.expect("refused", stream=stream)["code"] == "no_such_stream"
    assert site.ask(lambda here: len(here._feeds[stream].followers)) == 1
    assert follow(leaver, stream) == "no_such_stream"


def test_changing_a_role_keeps_the_seat(house: Redis) -> None:
    club = make_club()
    ring = club_ring(club)
    [stay] = seated(club, ring, "Patricia")
    members.change_role(club, person("Olga"), stay.user, ClubRole.MANAGER)
    cast.boundary(house, cast.table_of(ring))
    stay.refresh_from_db()
    assert stay.state == RingSession.State.SEATED and not stay.leaving


def test_public_figures_leave_out_games_for_members(house: Redis) -> None:
    club = make_club()
    for watched_by in ("members", "everybody"):
        ring = club_ring(club, watched_by, name=watched_by)
        [stay] = seated(club, ring, f"In {watched_by}")
        members.remove(club, person("Olga"), stay.user)
        cast.boundary(house, cast.table_of(ring))
    for watched_by, shown in (("members", 0), ("everybody", 1)):
        user = person(f"In {watched_by}")
        assert len(results.ring_results(user, private_too=True)) == 1
        assert len(results.ring_results(user, private_too=False)) == shown


def test_streams_obey_the_audience(site: Site, house: Redis) -> None:
    club = make_club()
    ring = club_ring(club)
    playing(house, club, ring)
    table = cast.table_of(ring).pk
    for kind, user in people(club).items():
        client = site.client(user)
        expected = "no_such_stream" if kind in OUTSIDE else "snapshot"
        for stream in (f"table:{table}", f"tablechat:{table}"):
            assert follow(client, stream) == expected, (kind, stream)
        assert follow(client, f"cardsup:{table}") == "no_such_stream", "ring games have none"


def test_open_sockets_of_a_removed_member_are_cut(site: Site, house: Redis) -> None:
    club = make_club()
    ring = club_ring(club)
    [stay, _other] = seated(club, ring, *PLAYERS)
    table, olga, mia = cast.table_of(ring), person("Olga"), people(club)["member"]
    cast.begin(house, table)
    assert mia is not None
    watching, seat = site.client(mia), site.client(stay.user)
    for client in (watching, seat):
        assert follow(client, f"table:{table.pk}") == "snapshot"
    members.remove(club, olga, mia)
    assert watching.expect("refused")["code"] == "no_such_stream"
    assert follow(watching, f"table:{table.pk}") == "no_such_stream"
    members.remove(club, olga, stay.user)
    cast.fold_around(house, table)
    cast.boundary(house, table)
    assert seat.expect("refused")["code"] == "no_such_stream"
    assert follow(seat, f"table:{table.pk}") == "no_such_stream"
