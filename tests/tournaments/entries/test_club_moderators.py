"""Managers of a club moderate its chats at the chat itself, and no others."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.contrib.admin.models import LogEntry
from django.utils import timezone
from redis import Redis

from accounts.models import Club, User
from tables.chat import panel_steps
from tables.chat.authority import may_moderate
from tables.chat.models import ChatSilence
from tables.chat.refusals import ChatRefusal, NoSuchSilence, NotAModerator, OwnSilence
from tables.models import Table
from tests.accounts.browsers import browser
from tests.tables.gateway.chat.chatting import chatty, moderates, newest, stored, writes
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import Client, Site
from tests.tournaments.cast import started
from tests.tournaments.club_scene import club_started, join, make_club, person, staff
from tournaments.models import Entry

__all__ = ["chatty", "site"]


def _at_club(site: Site, user: User | None, *streams: str) -> Client:
    client = site.client(user)
    for stream in streams:
        client.follow(stream)
    return client


def test_a_manager_of_a_club_moderates_its_chats_and_no_others(
    site: Site, house: Redis, chatty: LazySettings
) -> None:
    club = make_club()
    manager, made = join(club, "Max", "manager"), club_started(club)
    member = Entry.objects.filter(tournament=made)[0].user
    streams = (f"clubchat:{club.pk}", f"tournamentchat:{made.pk}")
    writer, boss = _at_club(site, member, *streams), _at_club(site, manager, *streams)
    writes(writer, streams[1], "rude words")
    assert moderates(boss, "delete", streams[1], newest())["type"] == "result"
    answer = moderates(boss, "silence", streams[1], newest(), minutes=60, reason="Insults")
    assert answer["type"] == "result"
    assert ChatSilence.objects.get().club == club
    for stream in streams:
        assert writes(writer, stream, "but why")["code"] == "chat_silenced"
    other = make_club("Otto", "Turn Toads")
    join(other, "Max")
    join(other, member.name)
    elsewhere = f"clubchat:{other.pk}"
    for client in (writer, boss):
        client.follow(elsewhere)
    assert writes(writer, elsewhere, "hello")["type"] == "result", "silenced in one club alone"
    assert moderates(boss, "delete", elsewhere, newest())["code"] == "chat_not_moderator"


def test_managers_silence_neither_themselves_nor_each_other_nor_moderators(
    site: Site, house: Redis, chatty: LazySettings
) -> None:
    club = make_club()
    stream = f"clubchat:{club.pk}"
    manager = join(club, "Max", "manager")
    boss = _at_club(site, manager, stream)
    for name in ("Max", "Olga"):
        writer = _at_club(site, person(name), stream)
        writes(writer, stream, f"I am {name}")
        answer = moderates(boss, "silence", stream, newest(), minutes=5, reason="Mine")
        assert answer["code"] == "chat_not_below_you"
    above = _at_club(site, staff("Sue", "moderate_chat", "change_club"), stream)
    answer = moderates(above, "silence", stream, newest(), minutes=5, reason="Enough")
    assert answer["type"] == "result", "a moderator of the room is above them"
    assert ChatSilence.objects.get().club is None


def test_the_managers_of_a_tournaments_club_moderate_its_tables(
    site: Site, house: Redis, chatty: LazySettings
) -> None:
    club = make_club()
    made, open_to_all = club_started(club), started(2)
    manager = join(club, "Max", "manager")
    tables = {row.game: row.pk for row in Table.objects.all()}
    assert may_moderate(manager, f"tablechat:{tables[made.pk]}")
    assert not may_moderate(manager, f"tablechat:{tables[open_to_all.pk]}")
    assert not may_moderate(join(club, "Mia"), f"tablechat:{tables[made.pk]}")
    assert not may_moderate(None, f"tablechat:{tables[made.pk]}")
    assert stored() == []


def _silenced(user: User, by: User, club: Club | None) -> ChatSilence:
    until = timezone.now() + timedelta(hours=1)
    return ChatSilence.objects.create(user=user, club=club, until=until, reason="Insults", by=by)


def test_a_manager_ends_a_silence_early_on_the_page_of_the_club(
    site: Site, house: Redis, chatty: LazySettings
) -> None:
    club = make_club()
    manager, member = join(club, "Max", "manager"), join(club, "Mia")
    silence = _silenced(member, manager, club)
    stream = f"clubchat:{club.pk}"
    writer, boss = _at_club(site, member, stream), browser(manager)
    assert writes(writer, stream, "but why")["code"] == "chat_silenced"
    page = f"/clubs/{club.slug}/silences/"
    shown = boss.get(page).content.decode()
    assert "Insults" in shown and member.name in shown
    done = boss.post(f"{page}{silence.pk}/end/", follow=True).content.decode()
    assert "The player may chat again." in done and "Insults" not in done
    assert writes(writer, stream, "thank you")["type"] == "result"
    record = LogEntry.objects.get(object_id=str(silence.pk))
    assert (record.user, record.get_change_message()) == (manager, "ended the silence")
    again = boss.post(f"{page}{silence.pk}/end/", follow=True).content.decode()
    assert "This silence is over, or it is none of this club." in again
    assert LogEntry.objects.count() == 1


@pytest.mark.django_db
def test_a_silence_is_ended_by_nobody_without_the_reach_over_it() -> None:
    club, other = make_club(), make_club("Otto", "Turn Toads")
    manager, member = join(club, "Max", "manager"), join(club, "Mia")
    inside, elsewhere = _silenced(member, manager, club), _silenced(member, manager, other)
    everywhere, own = _silenced(member, manager, None), _silenced(manager, manager, club)
    refused: list[tuple[User, int, ChatSilence, type[ChatRefusal]]] = [
        (member, club.pk, inside, NotAModerator),
        (person("Otto"), club.pk, inside, NotAModerator),
        (manager, other.pk, elsewhere, NotAModerator),
        (manager, club.pk, elsewhere, NoSuchSilence),
        (manager, club.pk, everywhere, NoSuchSilence),
        (manager, club.pk, own, OwnSilence),
    ]
    before = list(ChatSilence.objects.order_by("pk").values())
    for user, at, silence, why in refused:
        with pytest.raises(why):
            panel_steps.end_silence_by(user.pk, at, silence.pk)
    for stranger in (member, person("Otto")):
        looking = browser(stranger)
        assert looking.get(f"/clubs/{club.slug}/silences/").status_code == 404
        assert looking.post(f"/clubs/{club.slug}/silences/{inside.pk}/end/").status_code == 404
    assert browser(manager).get(f"/clubs/{club.slug}/silences/{inside.pk}/end/").status_code == 405
    assert list(ChatSilence.objects.order_by("pk").values()) == before
    assert not LogEntry.objects.exists()
    sue = staff("Sue", "moderate_chat", "change_club")
    panel_steps.end_silence_by(sue.pk, club.pk, own.pk)
    assert list(panel_steps.silences_of(club.pk)) == [inside], "only those that hold, of this club"
