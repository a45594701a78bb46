"""A club's tournament is seen, entered and run by its audience, at every address and stream."""

from __future__ import annotations

import pytest
from django.urls import reverse
from redis import Redis

from accounts.clubs import members
from accounts.models import Transfer
from accounts.users import bots
from tables.models import Hand as HandRow
from tables.models import Table
from tests.accounts.browsers import browser
from tests.deploy.cluster.held_pages import Hand
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import Site
from tests.tournaments.api.asking import by_session, refused
from tests.tournaments.cast import Arena, passive
from tests.tournaments.club_scene import (
    NAME,
    WATCHES,
    club_offer,
    club_started,
    join,
    make_club,
    people,
    person,
)
from tests.tournaments.club_walk import addresses, first_of, follow, read
from tournaments.entries import audiences, guests, privacy, registration
from tournaments.models import AuditRow, Entry, Guest, Tournament
from tournaments.pages.organisers import LOOK, MAKE, RULE, RUN, TELL
from tournaments.refusals import GuestsOnly, MembersOnly, NoSuchTournament
from tournaments.running import operations

__all__ = ["site"]


def playing(made: Tournament) -> Hand:
    """A finished hand of the tournament."""
    arena = Arena(made.pk)
    arena.choose = passive
    arena.hand(arena.tables()[0])
    row = HandRow.objects.get()
    entry = Entry.objects.filter(tournament=made).order_by("pk")[0]
    return Hand(made.pk, row.table_id, row.number, entry.pk, entry.name[:5], "link")


def names_in(text: str, made: Tournament) -> list[str]:
    """Names of the tournament and its players in a page."""
    names = [NAME, *made.entries.values_list("name", flat=True)]
    return [name for name in names if name in text]


def facts() -> tuple[object, ...]:
    """Every value that a stranger's request could change."""
    kinds = (Entry, AuditRow, Guest, Transfer)
    rows = [list(kind._default_manager.order_by("pk").values()) for kind in kinds]
    return rows, list(Tournament.objects.values("state", "entrants", "featured"))


@pytest.mark.sample
@pytest.mark.journey
@pytest.mark.parametrize(
    ("audience", "kinds"),
    [("members", ("nobody", "manager of another")), ("invited", ("outsider", "other staff"))],
)
def test_no_address_tells_outsiders_of_a_tournament(
    house: Redis, audience: str, kinds: tuple[str, ...]
) -> None:
    club = make_club()
    made = club_started(club, audience, audience)
    hand = playing(made)
    everybody = people(club, made)
    before = facts()
    for kind in kinds:
        looking = browser(everybody[kind])
        for address, named in addresses(hand, club.slug):
            got = looking.get(address)
            assert names_in(read(got), made) == [], (kind, address)
            posted = looking.post(address, {"reason": "x", "answer": "buy", "kind": "chips"})
            assert names_in(read(posted), made) == [], (kind, address)
            if named:
                as_json = looking.post(address, "{}", content_type="application/json")
                assert names_in(read(as_json), made) == [], (kind, address)
                statuses = {got.status_code, posted.status_code}
                # The API reads the form of a body before it looks for anything.
                malformed = {400} if "/api/" in address else set()
                assert statuses <= {302, 401, 404, 405} | malformed, (kind, address, statuses)
    assert facts() == before


@pytest.mark.journey
@pytest.mark.parametrize("audience", ["everybody", "members", "invited"])
def test_each_audience_sees_the_tournament_at_every_address(house: Redis, audience: str) -> None:
    club = make_club()
    made = club_started(club, audience, "members" if audience == "everybody" else audience)
    hand = playing(made)
    for kind, user in people(club, made).items():
        sees = kind in WATCHES[audience]
        assert privacy.may_see(user, made) is sees, kind
        looking = browser(user)
        page = looking.get(reverse("tournament", args=[made.pk]))
        known = 403 if kind == "member" else 404
        assert page.status_code == (200 if sees else known), kind
        for name in ("clock", "results", "watch", "deal", "end"):
            status = looking.get(reverse(name, args=[made.pk])).status_code
            assert status in ((200, 302) if sees else (404,)), (kind, name)
        for address in (
            reverse("table", args=[hand.table]),
            reverse("hands", args=[hand.table]),
            reverse("hand", args=[hand.table, hand.number]),
        ):
            assert looking.get(address).status_code == (200 if sees else 404), (kind, address)
        found = names_in(looking.get(f"/players/?name={hand.name}").content.decode(), made)
        assert bool(found) is sees, kind
        row = looking.get(reverse("row", args=[made.pk]))
        assert (row.status_code == 200) is privacy.may_list(user, made), kind
        listed = f'id="tournament-{made.pk}"' in looking.get("/").content.decode()
        assert listed is (audience == "everybody"), "the room's lobby shows it to all or to none"
        inside = NAME in looking.get(reverse("club", args=[club.slug])).content.decode()
        knowing = ("member", "manager", "owner", "entered", "invited")
        assert inside is (audience == "everybody" or kind in knowing), kind


def test_only_the_clubs_managers_and_the_rooms_organisers_run_it(house: Redis) -> None:
    club = make_club()
    made = club_started(club)
    rights = (LOOK, RUN, RULE, TELL)
    for kind, user in people(club, made).items():
        runs = {right for right in rights if audiences.may_manage(user, made, right)}
        allowed = set(rights) if kind in ("manager", "owner") else set()
        assert runs == (allowed or ({LOOK} if kind == "staff" else set())), kind
        assert not audiences.may_manage(user, made, MAKE) or kind == "staff"
        looking = browser(user)
        status = looking.get(reverse("cockpit", args=[made.pk])).status_code
        hidden = 404 if kind in ("outsider", "manager of another", "other staff") else 403
        expected = {"nobody": 302, "manager": 200, "owner": 200, "staff": 200}
        assert status == expected.get(kind, hidden), kind
        before = facts()
        step = reverse("cockpit_step", args=[made.pk, "cancel"])
        if kind not in ("manager", "owner"):
            assert looking.post(step, {"reason": "x"}).status_code in (302, 403, 404)
            assert facts() == before, kind
    manager = browser(person("Max"))
    manager.post(reverse("cockpit_step", args=[made.pk, "pause"]), {"reason": "pizza"})
    made.refresh_from_db()
    assert made.state == "paused"
    assert AuditRow.objects.get(tournament=made, action="pause").actor == person("Max")


def test_players_outside_the_audience_are_refused_in_words(house: Redis) -> None:
    club = make_club()
    mia, stan = join(club, "Mia"), bots.create(3)[2]
    open_club = club_offer(club, watched_by="everybody", name="Open house")
    members_only = club_offer(club)
    invited = club_offer(club, watched_by="members", entered_by="invited", name="Final")
    for made in (open_club, members_only, invited):
        operations.open(made.pk)
    before = facts()
    with pytest.raises(MembersOnly):
        registration.register(stan, open_club)
    with pytest.raises(NoSuchTournament):
        registration.register(stan, members_only)
    with pytest.raises(GuestsOnly):
        registration.register(mia, invited)
    boss = person("Olga")
    with pytest.raises(MembersOnly):
        registration.register_for(stan, open_club, actor=boss, reason="a friend")
    said = by_session(browser(stan), f"/tournaments/{open_club.pk}/entries", {})
    refused(said, 409, "members_only")
    assert "Only members of River Rats enter this tournament." in said.json()["detail"]
    assert "Register" not in browser(mia).get(f"/tournaments/{invited.pk}/row/").content.decode()
    assert facts() == before
    guests.invite(invited.pk, stan.name, actor=boss)
    guests.invite(open_club.pk, stan.name, actor=boss)
    for made in (invited, open_club):
        assert registration.register(stan, made).state == Entry.State.REGISTERED


@pytest.mark.parametrize("audience", ["members", "invited"])
def test_streams_obey_the_audience(site: Site, house: Redis, audience: str) -> None:
    club = make_club()
    made = club_started(club, audience, audience)
    table = Table.objects.get(game=made.pk)
    for kind, user in people(club, made).items():
        expected = "snapshot" if kind in WATCHES[audience] else "no_such_stream"
        client = site.client(user)
        for stream in (f"tablechat:{table.pk}", f"tournamentchat:{made.pk}"):
            assert follow(client, stream) == expected, (kind, stream)
        for stream in (made.member, f"table:{table.pk}"):
            assert follow(client, stream) == expected, (kind, stream)
            client.say(type="subscribe", stream=stream, after="1-1")
            again = first_of(client, "snapshot", "refused", "events")
            assert (again["type"] == "refused") is (expected != "snapshot"), (kind, stream)
        inside = kind in ("member", "manager", "owner", "entered")
        for stream in (club.member, f"clubchat:{club.pk}"):
            assert follow(client, stream) == ("snapshot" if inside else "no_such_stream"), kind
        client.say(type="subscribe", stream="lobby")
        lobby = first_of(client, "snapshot")
        assert NAME not in str(lobby), kind


def test_open_sockets_of_a_removed_member_are_cut(site: Site, house: Redis) -> None:
    club = make_club()
    made = club_started(club)
    mia = join(club, "Mia")
    client, guest = site.client(mia), site.client(person("Gus"))
    table = Table.objects.get(game=made.pk).pk
    chats = (f"tablechat:{table}", f"clubchat:{club.pk}", f"tournamentchat:{made.pk}")
    streams = (made.member, f"table:{table}", club.member, *chats)
    for stream in streams:
        assert follow(client, stream) == "snapshot"
    assert follow(guest, made.member) == "snapshot"
    members.remove(club, person("Olga"), mia)
    assert [client.expect("refused")["code"] for _ in streams] == ["no_such_stream"] * 6
    assert follow(client, made.member) == "no_such_stream"
    guests.uninvite(made.pk, person("Gus").pk, actor=person("Olga"))
    assert guest.expect("refused")["code"] == "no_such_stream"
