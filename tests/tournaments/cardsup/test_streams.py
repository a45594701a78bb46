"""Cards-up streams over real sockets: rights, snapshots, resumption, and hands that are not due."""

from __future__ import annotations

from typing import Any

import pytest
from redis import Redis

from accounts.users import groups
from tables.history.kept import kept_of
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import Client, Site, users
from tests.tournaments.cardsup.scene import DELAY_MS, CardsUpScene

__all__ = ["site"]


@pytest.fixture
def scene(site: Site, room: Redis) -> CardsUpScene:
    """Three settled hands at one table, none of them told."""
    made = CardsUpScene(room, players=3, seats=3, starting_stack=100_000)
    made.play(3)
    return made


def refused(client: Client, stream: str) -> str:
    """Code with which a subscription is refused."""
    client.say(type="subscribe", stream=stream)
    return str(client.expect("refused", stream=stream)["code"])


def middle_ms(scene: CardsUpScene) -> int:
    """Time at which the last actions of the first hand are not told yet."""
    kept = kept_of(scene.hands().first())
    assert len(kept.notes) > 1
    return kept.began_ms + max(DELAY_MS, kept.released_ms - kept.began_ms)


def test_streams_are_closed_to_all_but_their_viewers(site: Site, scene: CardsUpScene) -> None:
    table = f"cardsup:{scene.tables[0]}"
    outsider, speaker = users("outsider", "speaker")
    groups.keep_commentators().user_set.add(speaker, scene.players[0])
    for stream in (table, scene.featured):
        assert site.client().follow(stream)["state"]["retold"] is None
    scene.tournament.cards_up = "commentators"
    scene.tournament.save()
    # An open stream stays open to all while it is followed, so each stream is asked for anew.
    for client in list(site._clients):
        client.close()
    for nobody in (None, outsider, scene.players[1], scene.players[0]):
        for stream in (table, scene.featured):
            assert refused(site.client(nobody), stream) == "no_such_stream"
    for stream in (table, scene.featured):
        assert site.client(speaker).follow(stream)["state"]["retold"] is None
    cut = site.client(speaker)
    cut.follow(table)
    speaker.groups.clear()
    assert cut.expect("refused", stream=table)["code"] == "no_such_stream"


def test_streams_that_do_not_exist(site: Site, scene: CardsUpScene) -> None:
    scene.tournament.cards_up = "off"
    scene.tournament.save()
    known = (f"cardsup:{scene.tables[0]}", scene.featured)
    for stream in (*known, "cardsup:987654", "featured:98765"):
        assert refused(site.client(), stream) == "no_such_stream"
    for stream in ("cardsup", "featured"):
        assert refused(site.client(), stream) == "no_such_stream"


def test_hands_that_are_not_due_are_told_to_nobody(site: Site, scene: CardsUpScene) -> None:
    scene.look(scene.first_ms() + DELAY_MS - 1)
    for stream in (f"cardsup:{scene.tables[0]}", scene.featured):
        client = site.client()
        snapshot = client.follow(stream)
        assert (snapshot["id"], snapshot["state"]["retold"]) == ("0-0", None)
        # An id of an event to come is answered like any unknown one: by what is told.
        assert client.follow(stream, after="0-5")["id"] == "0-0"
        assert client.silent()
        assert scene.told(stream) == []


def test_a_follower_in_mid_hand_gets_every_event_told_so_far(
    site: Site, scene: CardsUpScene
) -> None:
    scene.look(middle_ms(scene))
    for stream in (f"cardsup:{scene.tables[0]}", scene.featured):
        told = scene.told(stream)
        client = site.client()
        snapshot = client.follow(stream)
        assert snapshot["id"] == told[0]["id"]
        assert snapshot["state"]["retold"] == _without_id(told[0])
        assert client.events(stream, len(told) - 1) == told[1:]
        dealt = [event for event in told if event["type"] == "hole_cards_dealt"]
        assert len(dealt) == 3 and all("??" not in event["cards"] for event in dealt)
    scene.look(middle_ms(scene) + 600_000)
    later = scene.told(stream)
    assert client.events(stream, len(later) - len(told)) == later[len(told) :]


def test_a_lost_connection_resumes_and_a_gap_gets_a_snapshot(
    site: Site, scene: CardsUpScene, room: Redis
) -> None:
    stream = f"cardsup:{scene.tables[0]}"
    scene.look(middle_ms(scene))
    told = scene.told(stream)
    client = site.client()
    client.say(type="subscribe", stream=stream, after=told[-3]["id"])
    assert client.events(stream, 2) == told[-2:]
    unknown = site.client()
    assert unknown.follow(stream, after="0-4000")["id"] == told[0]["id"]


def _without_id(event: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in event.items() if name not in ("id", "type")} | {
        "type": event["type"]
    }
