"""A private tournament is visible only to users its setting permits, at every address (T-02)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse
from redis import Redis

from accounts.models import User
from accounts.users import bots, groups
from accounts.users.password_tries import TooManyTries
from config import limits
from tables.models import Hand, Table
from tests.accounts.browsers import browser
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import Client as Socket
from tests.tables.gateway.sockets import Message, Site, wait_for
from tests.tournaments.api.asking import by_session
from tests.tournaments.cast import Arena, open_offer, started
from tournaments.entries import privacy, registration
from tournaments.models import Admission, Entry, Tournament
from tournaments.refusals import WrongPassword

__all__ = ["site"]

pytestmark = pytest.mark.rule("T-02")

SECRET = "open sesame"
PASSWORDS = ("known", "entered", "everybody")


def staff(name: str, *codenames: str) -> User:
    user = User.objects.create_user(name, "a long password", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    return user


def guest(number: int = 10) -> User:
    """A player with money and without entries."""
    return bots.create(20)[number]


def knowing(made: Tournament) -> User:
    user = guest(11)
    privacy.admit(user, made, SECRET)
    return user


def observing() -> User:
    user = User.objects.create_user("Olaf", "a long password", is_staff=True)
    user.groups.add(groups.keep_observers())
    return user


VISITORS: dict[str, Callable[[Tournament], User | None]] = {
    "anonymous": lambda _: None,
    "stranger": lambda _: guest(),
    "knows": knowing,
    "entered": lambda made: Entry.objects.filter(tournament=made)[0].user,
    "observer": lambda _: observing(),
    "superuser": lambda _: User.objects.create_superuser("Boss", "a long password"),
    "other_staff": lambda _: staff("Sam", "credit_money"),
}
SEES = {
    "known": {"knows", "entered", "observer", "superuser"},
    "entered": {"entered", "observer", "superuser"},
    "everybody": set(VISITORS),
}


def running(seen_by: str = "known") -> Tournament:
    """A private tournament in play, with one finished hand."""
    made = started(2, password=SECRET, seen_by=seen_by)
    arena = Arena(made.pk)
    arena.hand(arena.tables()[0])
    return made


def doors(made: Tournament) -> dict[str, str]:
    """Every address with content of a tournament."""
    hand = Hand.objects.select_related("table").get()
    doors = {name: reverse(name, args=[made.pk]) for name in ("clock", "results", "watch", "deal")}
    page = reverse("tournament", args=[made.pk])
    tabs = ("overview", "players", "tables", "levels", "payouts", "rules")
    doors |= {f"tab {tab}": f"{page}?tab={tab}" for tab in tabs}
    return doors | {
        "seat": reverse("seat", args=[made.pk]),
        "table": reverse("table", args=[hand.table_id]),
        "hands": reverse("hands", args=[hand.table_id]),
        "hand": reverse("hand", args=[hand.table_id, hand.number]),
    }


@pytest.mark.parametrize("seen_by", PASSWORDS)
def test_every_page_checks_may_see(house: Redis, seen_by: str) -> None:
    made = running(seen_by)
    for visitor, user_of in VISITORS.items():
        _is_checked_at_every_door(made, user_of(made), sees=visitor in SEES[seen_by])


def _is_checked_at_every_door(made: Tournament, user: User | None, *, sees: bool) -> None:
    assert privacy.may_see(user, made) is sees, user
    looking = browser(user)
    for door, address in doors(made).items():
        answer = looking.get(address)
        if door == "seat" and user is None:
            assert answer.status_code == 302, door  # redirect to the log-in
        elif sees:
            assert answer.status_code == (302 if door == "watch" else 200), door
        else:
            assert answer.status_code == (403 if door.startswith("tab ") else 404), door
            shown = answer.content.decode()
            assert not any(entry.name in shown for entry in made.entries.all()), door
    proposed = looking.post(reverse("deal_propose", args=[made.pk]), {"kind": "chips"})
    assert (proposed.status_code == 404) is not sees


def test_a_public_tournament_is_visible_whatever_its_setting(house: Redis) -> None:
    made = started(2, seen_by="entered")
    assert privacy.may_see(None, made)
    assert browser(None).get(reverse("clock", args=[made.pk])).status_code == 200


def test_the_lobby_shows_the_row_without_links_into_the_tournament(house: Redis) -> None:
    made = running()
    looking = browser(None)
    for address in (reverse("lobby"), reverse("row", args=[made.pk])):
        shown = looking.get(address).content.decode()
        assert made.name in shown
        assert reverse("watch", args=[made.pk]) not in shown


def test_the_password_form_of_the_page_grants_access(house: Redis) -> None:
    made = running()
    visitor = guest()
    looking = browser(visitor)
    page = reverse("tournament", args=[made.pk])
    closed = looking.get(page).content.decode()
    assert reverse("unlock", args=[made.pk]) in closed
    refused = looking.post(reverse("unlock", args=[made.pk]), {"password": "open says me"})
    assert refused.status_code == 302 and looking.get(page).status_code == 403
    assert not Admission.objects.filter(user=visitor).exists()
    looking.post(reverse("unlock", args=[made.pk]), {"password": SECRET})
    assert looking.get(page).status_code == 200
    only_entered = started(2, password=SECRET, seen_by="entered")
    shown = looking.get(reverse("tournament", args=[only_entered.pk])).content.decode()
    assert reverse("unlock", args=[only_entered.pk]) not in shown
    anonymous = browser(None).post(reverse("unlock", args=[made.pk]), {"password": SECRET})
    assert anonymous.status_code == 302 and reverse("login") in anonymous["Location"]


def test_a_password_grants_access_to_tournaments_with_its_hash(house: Redis) -> None:
    first = open_offer(password=SECRET)
    visitor = guest()
    privacy.admit(visitor, first, SECRET)
    again = open_offer(password_hash=first.password)
    other = open_offer(password=SECRET)
    assert privacy.may_see(visitor, again)
    assert not privacy.may_see(visitor, other), "another hash counts as another password"
    entry = registration.register(visitor, again)
    assert entry.state == Entry.State.REGISTERED
    asked = browser(visitor).get(reverse("register", args=[again.pk])).content.decode()
    assert 'name="password"' not in asked


def test_password_attempts_are_limited_per_user(house: Redis) -> None:
    made, other = open_offer(password=SECRET), open_offer(password=SECRET)
    visitor = guest()
    for number in range(limits.PRIVATE_TRIES_USER):
        with pytest.raises(WrongPassword):
            privacy.admit(visitor, made if number % 2 else other, f"guess {number}")
    with pytest.raises(TooManyTries) as refused:
        privacy.admit(visitor, made, SECRET)
    wait_s = refused.value.allowed["wait_s"]
    assert isinstance(wait_s, int) and wait_s > 0
    looking = browser(visitor)
    tried = {"password": SECRET}
    for door in ("entries", "admission"):
        answer = by_session(looking, f"/tournaments/{made.pk}/{door}", tried)
        assert (answer.status_code, answer.json()["code"]) == (429, "too_many_tries")
    said = looking.post(reverse("unlock", args=[made.pk]), tried, follow=True).content.decode()
    assert "Too many passwords were tried" in said
    assert not made.entries.exists() and not Admission.objects.exists()
    privacy.admit(guest(11), made, SECRET)


def test_password_attempts_are_limited_per_address(house: Redis) -> None:
    made = open_offer(password=SECRET)
    players = bots.create(limits.PRIVATE_TRIES_ADDRESS + 1)
    for player in players[:-1]:
        with pytest.raises(WrongPassword):
            privacy.admit(player, made, "a guess", "192.0.2.7")
    with pytest.raises(TooManyTries):
        privacy.admit(players[-1], made, SECRET, "192.0.2.7")
    privacy.admit(players[-1], made, SECRET, "192.0.2.8")


def follow(client: Socket, stream: str) -> str:
    """Request a stream; return the type of the answer."""
    client.say(type="subscribe", stream=stream)
    answer = first_of(client, "snapshot", "refused")
    return str(answer["type"] if answer["type"] == "snapshot" else answer["code"])


def first_of(client: Socket, *kinds: str) -> Message:
    """Next message of one of these types."""
    while (message := client.next())["type"] not in kinds:
        pass
    return message


@pytest.mark.parametrize("seen_by", PASSWORDS)
def test_streams_check_may_see(site: Site, house: Redis, seen_by: str) -> None:
    made = running(seen_by)
    table = Table.objects.get(game=made.pk)
    for name, found in VISITORS.items():
        user = found(made)
        wanted = "snapshot" if name in SEES[seen_by] else "no_such_stream"
        client = site.client(user)
        for stream in (made.member, f"table:{table.pk}"):
            assert follow(client, stream) == wanted, (name, stream)
            client.say(type="subscribe", stream=stream, after="1-1")
            again = first_of(client, "snapshot", "refused", "events")
            assert (again["type"] == "refused") is (wanted != "snapshot"), (name, stream)


def test_open_sockets_close_when_the_permission_ends(site: Site, house: Redis) -> None:
    made = open_offer(password=SECRET, seen_by="entered")
    player = guest()
    registration.register(player, made, SECRET)
    watcher = observing()
    client, looker = site.client(player), site.client(watcher)
    assert follow(client, made.member) == follow(looker, made.member) == "snapshot"
    registration.unregister(player, made)
    assert client.expect("refused")["code"] == "no_such_stream"
    assert follow(client, made.member) == "no_such_stream"
    watcher.groups.clear()
    assert looker.expect("refused")["code"] == "no_such_stream"


def test_a_permission_lost_without_notice_is_found_by_the_periodic_check(
    site: Site, house: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "SESSIONS_CHECK_MS", 400)
    made = open_offer(password=SECRET)
    visitor = knowing(made)
    client = site.client(visitor)
    assert follow(client, made.member) == "snapshot"
    Admission.objects.filter(user=visitor).delete()
    assert client.expect("refused")["code"] == "no_such_stream"
    wait_for(lambda: site.ask(lambda here: made.member not in here._feeds))
