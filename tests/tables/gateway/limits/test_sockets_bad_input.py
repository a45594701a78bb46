"""Invalid messages at a socket: refusal or close, and no effect."""

from __future__ import annotations

import json
import time
from contextlib import suppress

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone
from redis import Redis
from websockets.exceptions import ConnectionClosed, InvalidStatus

from accounts.deletion import deleting
from accounts.logins.minting import mint
from accounts.models import User
from config import limits
from tables.gateway import rights
from tables.gateway.consumers import RoomConsumer
from tables.store import keys
from tests.redis_answers import keys_of
from tests.tables.gateway.socket_site import site, told, write
from tests.tables.gateway.sockets import Site, users, wait_for

__all__ = ["site"]

ACT = {"type": "act", "id": "a1", "table": 1, "epoch": 1, "hand": 1, "turn": 1, "action": "fold"}


NONSENSE = [
    ("", "not_json"),
    ("fold", "not_json"),
    ('{"type":"ping","sent_ms":1', "not_json"),
    ("[]", "bad_message"),
    ("7", "bad_message"),
    ('{"type":"cheat"}', "bad_message"),
    ('{"stream":"count:1"}', "bad_message"),
    ('{"type":"ping","sent_ms":"1"}', "bad_message"),
    ('{"type":"ping","sent_ms":-1}', "bad_message"),
    ('{"type":"ping","sent_ms":1,"extra":1}', "bad_message"),
    ('{"type":"subscribe","stream":"table:12:events"}', "bad_message"),
    ('{"type":"subscribe","stream":"table:012"}', "bad_message"),
    ('{"type":"subscribe","stream":"table:00"}', "bad_message"),
    (r'{"type":"subscribe","stream":"table:12\n"}', "bad_message"),
    (r'{"type":"chat","id": "a1","stream":"tablechat:1\n","text":"psst"}', "bad_message"),
    ('{"type":"subscribe","stream":"table:12","after":"1"}', "bad_message"),
    (r'{"type":"subscribe","stream":"table:12","after":"1-1\n"}', "bad_message"),
    (r'{"type":"subscribe","stream":"table:12","window":"a\n"}', "bad_message"),
    ('{"type":"subscribe","stream":"' + "a" * 41 + '"}', "bad_message"),
    (json.dumps({**ACT, "amount": -100, "action": "bet"}), "bad_message"),
    (json.dumps({**ACT, "amount": "all", "action": "bet"}), "bad_message"),
    (json.dumps({**ACT, "amount": 1.5, "action": "bet"}), "bad_message"),
    (json.dumps({**ACT, "amount": 2**60, "action": "bet"}), "bad_message"),
    (json.dumps({**ACT, "amount": True, "action": "bet"}), "bad_message"),
    (json.dumps({**ACT, "id": "b1\n"}), "bad_message"),
    (
        json.dumps({"type": "cut", "table": 1, "epoch": 1, "hand": 1, "seed": "a" * 64 + "\n"}),
        "bad_message",
    ),
    (json.dumps({**ACT, "seat": 3}), "bad_message"),
    (json.dumps({**ACT, "action": "steal"}), "bad_message"),
    (json.dumps({**ACT, "turn": None}), "bad_message"),
    (json.dumps({"type": "showdown", "id": "a1", "table": 1, "choice": "never"}), "bad_message"),
    ('{"type":"ping","sent_ms":NaN}', "not_json"),
    ('{"type":"ping","extra":' + "[" * 2_000, "bad_message"),
    ('{"id":' + "[" * 2_000, "not_json"),
]


def id_of(raw: str) -> str | None:
    """Id of a message as it is told back, whatever the message is."""
    return next((told for told in ("a1", "b1\n") if f'"id": {json.dumps(told)}' in raw), None)


def test_a_message_outside_the_protocol_is_refused(site: Site, room: Redis) -> None:
    before, (ann,) = _contents(room), users("ann")
    for raw, code in NONSENSE:
        client = site.client(ann)
        client.line.send(raw)
        refused = client.expect("refused")
        assert refused["code"] == code, raw
        assert refused["message"]
        assert refused.get("id") == id_of(raw)
        client.say(type="ping", sent_ms=5)
        assert client.expect("pong")["sent_ms"] == 5
        client.close()
    assert _contents(room) == before


def _contents(room: Redis) -> list[bytes]:
    # A web process renews its heartbeat every second, whatever it receives.
    # Its number of sockets by user is renewed as well.
    found = set(keys_of(room)) - {keys.gateways(0).encode(), keys.witnesses(0).encode()}
    return sorted(key for key in found if b"}:sockets:" not in key)


def test_the_first_message_has_the_user_and_the_time(site: Site) -> None:
    (ann,) = users("ann")
    before_ms = time.time() * 1_000
    welcome = site.client(ann).welcome
    after_ms = time.time() * 1_000
    assert welcome["protocol"] == 1
    assert (welcome["user"], welcome["name"]) == (ann.pk, "ann")
    assert before_ms - 5_000 < welcome["now_ms"] < after_ms + 5_000
    assert site.client().welcome["user"] is None


def test_binary_messages_are_refused(site: Site) -> None:
    client = site.client()
    client.line.send(b'{"type":"ping","sent_ms":1}')
    assert client.expect("refused")["code"] == "not_text"


def test_a_message_of_a_megabyte_closes_the_connection(site: Site, room: Redis) -> None:
    before = _contents(room)
    client = site.client(users("ann")[0])
    big = json.dumps({**ACT, "id": "x" * 2**20})
    with suppress(ConnectionClosed):
        client.line.send(big)
    assert client.cut_off() == ([], 1009)
    assert _contents(room) == before


def test_a_message_just_above_the_limit_is_not_read(site: Site) -> None:
    client = site.client()
    client.line.send(json.dumps({"type": "ping", "pad": "x" * limits.CLIENT_MESSAGE_MAX_BYTES}))
    assert client.cut_off() == ([], 1009)


def test_repeated_invalid_messages_close_the_connection(site: Site) -> None:
    client = site.client()
    for _ in range(limits.CLIENT_FAULTS_MAX + 1):
        client.line.send("nonsense")
    rest, code = client.cut_off()
    assert [message["type"] for message in rest[-2:]] == ["refused", "bye"]
    assert rest[-1]["code"] == "protocol"
    assert code == 1008


def test_a_thousand_messages_a_second_close_the_connection(site: Site, room: Redis) -> None:
    before = _contents(room)
    client = site.client(users("ann")[0])
    with suppress(ConnectionClosed):
        for _ in range(1_000):
            client.line.send(json.dumps(ACT))
    rest, code = client.cut_off()
    assert code == 1008
    codes = [message.get("code") for message in rest]
    assert "slow_down" in codes
    assert codes[-1] == "protocol"
    assert _contents(room) == before


def test_a_human_rate_of_messages_is_accepted(site: Site) -> None:
    client = site.client(users("ann")[0])
    for number in range(limits.CLIENT_MESSAGES_BURST_MAX):
        client.say(type="ping", sent_ms=number)
        assert client.expect("pong")["sent_ms"] == number


def test_without_login_commands_are_refused_and_tables_may_be_watched(
    site: Site, room: Redis
) -> None:
    write(room, "count:1")
    client = site.client()
    assert client.follow("count:1")["state"] == {"count": 1, "user": None}
    before = _contents(room)
    client.say(**ACT)
    refused = client.expect("refused")
    assert (refused["code"], refused["id"]) == ("login", "a1")
    client.say(type="subscribe", stream="user:1")
    assert client.expect("refused")["code"] in {"login", "no_such_stream"}
    assert _contents(room) == before


def test_a_command_for_a_table_that_is_not_followed_is_refused(site: Site, room: Redis) -> None:
    before = _contents(room)
    client = site.client(users("ann")[0])
    client.say(**ACT)
    assert client.expect("refused", id="a1")["code"] == "not_following"
    assert _contents(room) == before


@pytest.mark.parametrize("origin", ["https://evil.example", "http://localhost.evil.example", None])
def test_a_foreign_origin_is_refused_at_the_handshake(site: Site, origin: str | None) -> None:
    (ann,) = users("ann")
    with pytest.raises(InvalidStatus) as refused:
        site.client(ann, origin=origin)
    assert refused.value.response.status_code == 403


def test_an_expired_session_is_anonymous(site: Site) -> None:
    (ann,) = users("ann")
    key = mint([ann], 1)[0][1]
    Session.objects.filter(pk=key).update(expire_date=timezone.now())
    client = site.client(key=key)
    assert client.welcome["user"] is None
    client.say(**ACT)
    assert client.expect("refused")["code"] == "login"


def test_a_made_up_session_is_anonymous(site: Site) -> None:
    assert site.client(key="q" * 32).welcome["user"] is None


@pytest.mark.parametrize("end", ["logout", "expiry", "ban", "password", "deletion"])
def test_the_end_of_a_session_closes_its_sockets(site: Site, end: str) -> None:
    ann, bob = users("ann", "bob")
    key = mint([ann], 1)[0][1]
    client, other = site.client(key=key), site.client(bob)
    assert client.welcome["user"] == ann.pk
    if end == "logout":
        Session.objects.get(pk=key).delete()
    elif end == "ban":
        ann.is_active = False
        ann.save()
    elif end == "password":
        ann.set_password("another long password")
        ann.save()
    elif end == "deletion":
        deleting.delete(ann)
    else:
        Session.objects.filter(pk=key).update(expire_date=timezone.now())
        User.objects.get(pk=ann.pk).save()
    rest, code = client.cut_off()
    assert rest[-1]["type"] == "bye"
    assert rest[-1]["code"] == ("banned" if end == "ban" else "session_expired")
    assert code == 1008
    other.say(type="ping", sent_ms=1)
    other.expect("pong")


def test_an_expired_session_without_notice_is_found_by_the_periodic_check(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "SESSIONS_CHECK_MS", 100)
    monkeypatch.setattr(rights, "CHECKED_AT_ONCE_MAX", 1)
    ann, bob = users("ann", "bob")
    key = mint([ann], 1)[0][1]
    other, client = site.client(bob), site.client(key=key)
    Session.objects.filter(pk=key).update(expire_date=timezone.now())
    rest, code = client.cut_off()
    assert (rest[-1]["code"], code) == ("session_expired", 1008)
    assert other.silent()


def test_the_number_of_sockets_of_a_user_is_limited(site: Site) -> None:
    ann, bob = users("ann", "bob")
    key = mint([ann], 1)[0][1]
    clients = [site.client(key=key) for _ in range(limits.SOCKETS_PER_USER_MAX)]
    with pytest.raises(ConnectionClosed):
        site.client(key=key)
    site.client(bob)
    clients[0].close()

    def is_admitted() -> bool:
        """The count of all processes hears of a closed socket a moment after it."""
        with suppress(ConnectionClosed):
            return bool(site.client(key=key))
        return False

    wait_for(is_admitted)


def test_the_number_of_streams_of_a_socket_is_limited(site: Site, room: Redis) -> None:
    client = site.client()
    for number in range(limits.SUBSCRIPTIONS_PER_SOCKET_MAX):
        write(room, f"count:{number}")
        client.follow(f"count:{number}")
    write(room, "count:100")
    client.say(type="subscribe", stream="count:100")
    refused = client.expect("refused")
    assert (refused["code"], refused["stream"]) == ("too_many_streams", "count:100")
    client.say(type="unsubscribe", stream="count:0")
    client.follow("count:100")


def test_a_missing_stream_cannot_be_followed(site: Site) -> None:
    client = site.client()
    numberless = ("count", "table", "tablechat", "tournament", "club", "featured", "user")
    for stream in ("count:77", "moon:1", "table:999999", "lobby:1", *numberless):
        client.say(type="subscribe", stream=stream)
        refused = client.expect("refused")
        assert (refused["code"], refused["stream"]) == ("no_such_stream", stream)
    assert told == {}


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("de-AT,de;q=0.9,en;q=0.5", "Diese Nachricht ist kein JSON."),
        ("en-GB", "This message is not JSON."),
        ("xx,*;q=0.1", "This message is not JSON."),
    ],
)
def test_refusals_are_in_the_language_of_the_browser(
    site: Site, language: str, sentence: str
) -> None:
    client = site.client(language=language)
    client.line.send("nonsense")
    assert client.expect("refused")["message"] == sentence


def test_refusals_are_in_the_language_of_the_account(site: Site) -> None:
    (ann,) = users("ann")
    User.objects.filter(pk=ann.pk).update(language="de")
    client = site.client(ann, language="en")
    client.line.send("nonsense")
    assert client.expect("refused")["message"] == "Diese Nachricht ist kein JSON."


def test_a_socket_whose_message_fails_leaves_nothing_behind(
    site: Site, room: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(consumer: RoomConsumer, message: object) -> None:
        raise ZeroDivisionError

    write(room, "count:1")
    (ann,) = users("ann")
    client = site.client(ann)
    client.follow("count:1")
    monkeypatch.setattr(RoomConsumer, "_handle", fail)
    client.say(type="ping", sent_ms=1)
    client.cut_off()
    wait_for(lambda: site.ask(lambda here: not here.sockets.known()))
    assert site.ask(lambda here: "count:1" not in here._feeds)
