"""Chat of a table over real sockets: who writes, who reads, order, resume and refusals."""

from __future__ import annotations

import pytest
from django.conf import LazySettings, settings
from django.contrib.sessions.models import Session
from redis import Redis

from accounts.deletion import deleting
from accounts.models import User
from tables.chat import moderation, sending
from tables.chat.models import ChatMessage, ChatReport, ChatWord
from tables.store import fenced, keys
from tests.redis_answers import events_of
from tests.tables.gateway.chat.chatting import chat_of, chatty, follow, shown, stored, texts, writes
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.socket_table import Game, game
from tests.tables.gateway.sockets import Site

__all__ = ["chatty", "game", "site"]


@pytest.fixture
def moderator(game: Game) -> User:
    """A superuser without a seat."""
    return User.objects.create_superuser("Moderator", password=None)


def test_players_and_strangers_read_what_a_player_writes(
    game: Game, chatty: LazySettings, room: Redis
) -> None:
    writer, reader = follow(game, game.client(1)), follow(game, game.client(2))
    stranger = follow(game, game.watcher())
    assert reader.chat == stranger.chat and reader.chat["state"] == {"messages": []}
    before, waiting = fenced.peek(room, game.row.pk), game.waiting()
    assert writes(writer, chat_of(game), "  nice <b>hand</b>\n")["type"] == "result"
    [event] = reader.events(chat_of(game), 1)
    assert event["text"] == "nice <b>hand</b>"
    assert (event["type"], event["id"], event["user"]) == ("chat_message", "0-1", game.user(1).pk)
    assert event["name"] == game.user(1).name
    assert stranger.events(chat_of(game), 1) == [event]
    assert stored() == ["nice <b>hand</b>"]
    assert fenced.peek(room, game.row.pk) == before, "the table is not touched"
    assert game.waiting() == waiting


def test_a_player_without_a_seat_or_a_log_in_writes_nothing(
    game: Game, chatty: LazySettings, moderator: User
) -> None:
    watcher = follow(game, game.follow(game.site.client(moderator)))
    assert writes(watcher, chat_of(game), "hello")["code"] == "not_seated"
    stranger = follow(game, game.watcher())
    assert writes(stranger, chat_of(game), "hello")["code"] == "login"
    elsewhere = game.site.client(game.user(1))
    assert writes(elsewhere, chat_of(game), "hello")["code"] == "not_following"
    for stream in ("table:1", "lobby", "tablechat", "nonsense:1"):
        assert writes(elsewhere, stream, "hello")["code"] == "no_such_stream"
    assert stored() == []


def test_spectators_have_a_chat_apart_where_the_room_allows_it(
    game: Game, chatty: LazySettings, moderator: User
) -> None:
    rail = f"railchat:{game.row.pk}"
    fan = game.follow(game.site.client(moderator))
    fan.say(type="subscribe", stream=rail)
    assert fan.expect("refused", stream=rail)["code"] == "no_such_stream"
    assert writes(fan, rail, "go on")["code"] == "chat_off"
    chatty.CHAT_SPECTATORS = True
    player = follow(game, game.client(1))
    other = game.watcher()
    other.follow(rail)
    assert writes(fan, rail, "go on")["type"] == "result"
    assert texts(other, rail, 1) == ["go on"]
    assert writes(player, rail, "thanks")["code"] == "chat_of_spectators"
    assert player.silent(), "spectators are never mixed into the players' stream"


def test_a_room_without_chat_has_no_stream_of_it(game: Game, chatty: LazySettings) -> None:
    chatty.CHAT = False
    player = game.client(1)
    player.say(type="subscribe", stream=chat_of(game))
    assert player.expect("refused", stream=chat_of(game))["code"] == "no_such_stream"
    assert writes(player, chat_of(game), "hello")["code"] == "chat_off"
    assert stored() == []


def test_messages_come_in_order_and_after_a_cut_exactly_once(
    game: Game, chatty: LazySettings
) -> None:
    writer, reader = game.client(1), follow(game, game.client(2))
    said = [f"message {number}" for number in range(12)]
    for text in said[:4]:
        writes(writer, chat_of(game), text)
    assert texts(reader, chat_of(game), 4) == said[:4]
    reader.cut()
    for text in said[4:]:
        writes(writer, chat_of(game), text)
    again = game.client(2)
    again.say(type="subscribe", stream=chat_of(game), after="0-4")
    assert texts(again, chat_of(game), 8) == said[4:]
    fresh = follow(game, game.client(3))
    assert [one["text"] for one in fresh.chat["state"]["messages"]] == said
    assert fresh.chat["id"] == "0-12"


def test_a_lost_event_of_redis_comes_by_snapshot(
    game: Game, chatty: LazySettings, room: Redis
) -> None:
    writer, reader = game.client(1), follow(game, game.client(2))
    writes(writer, chat_of(game), "one")
    assert texts(reader, chat_of(game), 1) == ["one"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sending, "publish_event", lambda *_: None)
        writes(writer, chat_of(game), "two")
    writes(writer, chat_of(game), "three")
    snapshot = reader.expect("snapshot", stream=chat_of(game))
    told = [one["text"] for one in snapshot["state"]["messages"]]
    assert told == ["one", "two", "three"]
    room.delete(keys.events(chat_of(game), settings.SHARDS))
    writes(writer, chat_of(game), "four")
    assert texts(reader, chat_of(game), 1) == ["four"]


def test_the_same_command_is_stored_once(game: Game, chatty: LazySettings) -> None:
    first, second = game.client(1), game.client(1)
    assert writes(first, chat_of(game), "once", id="same")["type"] == "result"
    assert writes(second, chat_of(game), "twice", id="same")["type"] == "result"
    assert stored() == ["once"]
    other = game.client(2)
    assert writes(other, chat_of(game), "mine", id="same")["type"] == "result"
    assert stored() == ["once", "mine"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("x" * 201, "chat_too_long"),
        ("", "chat_empty"),
        ("z\u0300\u0301\u0302\u0303\u0304", "chat_unreadable"),
        ("fold\u202ellac", "chat_unreadable"),
        ("\x00", "chat_unreadable"),
        ("see https://example.com/?a=1", "chat_link"),
        ("you R0TTEN player", "chat_word"),
    ],
)
def test_bad_texts_are_refused_and_nothing_is_stored(
    game: Game, chatty: LazySettings, text: str, code: str
) -> None:
    ChatWord.objects.create(word="Rotten")
    writer, reader = game.client(1), follow(game, game.client(2))
    answer = writes(writer, chat_of(game), text)
    assert (answer["code"], stored()) == (code, [])
    assert answer["message"]
    assert reader.silent()
    assert writes(writer, chat_of(game), "hello")["type"] == "result", "the line goes on"


def test_ten_thousand_characters_are_refused_before_they_are_read(
    game: Game, chatty: LazySettings
) -> None:
    writer = game.client(1)
    writer.line.send('{"type":"chat","id":"long","stream":"x:1","text":"' + "x" * 3_900 + '"}')
    assert writer.expect("refused", id="long")["code"] == "no_such_stream"
    long = game.client(1)
    long.say(type="chat", id="long", stream=chat_of(game), text="x" * 10_000)
    assert long.cut_off()[1] == 1009
    writer.say(type="chat", id="odd", stream=chat_of(game), text=7)
    assert writer.expect("refused", id="odd")["code"] == "bad_message"
    assert stored() == []


def test_a_flood_is_refused_over_all_connections_of_a_player(
    game: Game, settings: LazySettings
) -> None:
    settings.CHAT_SLOW_S = 0
    other_site = Site()
    other_site.start()
    try:
        clients = [game.client(1), game.follow(other_site.client(game.user(1)))]
        answers = [
            writes(clients[number % 2], chat_of(game), f"spam {number}") for number in range(30)
        ]
        taken = [answer for answer in answers if answer["type"] == "result"]
        assert 10 <= len(taken) < 30 and len(stored()) == len(taken)
        [refused] = {answer["code"] for answer in answers if answer["type"] == "refused"}
        assert refused == "chat_too_fast"
        assert answers[-1]["allowed"]["wait_s"] >= 1
        neighbour = game.client(2)
        assert writes(neighbour, chat_of(game), "quiet, please")["type"] == "result"
    finally:
        other_site.stop()


def test_slow_mode_counts_between_two_messages(game: Game, settings: LazySettings) -> None:
    settings.CHAT_SLOW_S = 3_600
    writer = game.client(1)
    assert writes(writer, chat_of(game), "x" * 500)["code"] == "chat_too_long"
    assert writes(writer, chat_of(game), "one")["type"] == "result", "a refused text costs nothing"
    answer = writes(writer, chat_of(game), "two")
    assert answer["code"] == "chat_too_fast" and 0 < answer["allowed"]["wait_s"] <= 3_600
    told = f"Not so fast. Try again in {answer['allowed']['wait_s']} s."
    assert answer["message"] == told, "a single second reads as well as many"
    assert stored() == ["one"]


def test_a_flood_on_one_socket_never_delays_a_move(game: Game, chatty: LazySettings) -> None:
    player = game.client(game.actor)
    for number in range(20):
        player.say(type="chat", id=f"f{number}", stream=chat_of(game), text=f"f {number}")
    command = game.command("fold")
    player.say(**command)
    game.work()
    player.expect("result", id=command["id"])


def test_a_silenced_player_reads_the_reason_and_writes_nothing(
    game: Game, chatty: LazySettings, moderator: User
) -> None:
    writer = follow(game, game.client(1))
    silence = moderation.silence_player(game.user(1), moderator, minutes=5, reason="Insults")
    answer = writes(writer, chat_of(game), "but why")
    assert answer["code"] == "chat_silenced" and "Insults" in answer["message"]
    assert answer["allowed"]["until_ms"] == round(silence.until.timestamp() * 1_000)
    assert stored() == []
    moderation.end_silence(silence, moderator)
    assert writes(writer, chat_of(game), "thank you")["type"] == "result"


def test_a_deleted_message_leaves_screens_snapshots_and_resumes(
    game: Game, chatty: LazySettings, moderator: User, room: Redis
) -> None:
    writer, reader = game.client(1), follow(game, game.client(2))
    for text in ("first", "rude words", "last"):
        writes(writer, chat_of(game), text)
    rude = reader.events(chat_of(game), 3)[1]
    assert moderation.delete_message(rude["message"], moderator)
    [event] = reader.events(chat_of(game), 1)
    assert (event["type"], event["message"]) == ("chat_deleted", rude["message"])
    assert not moderation.delete_message(rude["message"], moderator), "once"
    late = game.client(3)
    late.say(type="subscribe", stream=chat_of(game), after="0-1")
    assert shown(late, chat_of(game), "0-4") == ["first", "last"]
    kept = events_of(room, keys.events(chat_of(game), settings.SHARDS))
    assert kept and b"rude words" not in b"".join(kept)
    assert ChatMessage.objects.get(pk=rude["message"]).text == "rude words", "kept for the record"


def test_a_report_reaches_the_moderators_once_for_each_reader(
    game: Game, chatty: LazySettings
) -> None:
    writer, reader = game.client(1), follow(game, game.client(2))
    writes(writer, chat_of(game), "rude words")
    [event] = reader.events(chat_of(game), 1)
    report = {"type": "chat_report", "stream": chat_of(game)}
    for command in ("r1", "r2"):
        reader.say(**report, id=command, message=event["message"])
        assert reader.expect("result")["id"] == command
    reader.say(**report, id="r3", message=event["message"] + 1)
    assert reader.expect("refused", id="r3")["code"] == "chat_no_message"
    outside = game.client(3)
    outside.say(**report, id="r4", message=event["message"])
    assert outside.expect("refused", id="r4")["code"] == "not_following"
    row = ChatReport.objects.get()
    assert (row.message_id, row.by_id) == (event["message"], game.user(2).pk)


def test_messages_of_a_deleted_account_leave_the_screens(game: Game, chatty: LazySettings) -> None:
    chatty.CHAT_SPECTATORS = True
    rail = f"railchat:{game.row.pk}"
    fan = User.objects.create_user("Marigold", password=None)
    writer, reader = game.follow(game.site.client(fan)), game.watcher()
    reader.follow(rail)
    writes(writer, rail, "my secret")
    assert texts(reader, rail, 1) == ["my secret"]
    deleting.delete(fan)
    snapshot = reader.expect("snapshot", stream=rail)
    assert snapshot["state"] == {"messages": []}


def test_an_ended_session_ends_the_chat(game: Game, chatty: LazySettings) -> None:
    writer = follow(game, game.client(1))
    for session in Session.objects.all():
        session.delete()
    rest, code = writer.cut_off()
    assert rest[-1]["code"] == "session_expired" and code == 1008


def test_players_in_an_all_in_are_silent_and_the_others_are_not(
    game: Game, chatty: LazySettings
) -> None:
    clients = {seat: game.client(seat) for seat in (1, 2, 3)}
    folded = game.actor
    clients[folded].say(**game.command("fold"))
    game.work()
    shover = game.actor
    clients[shover].say(**game.command("raise", 2_000))
    game.work()
    asked = game.actor
    for seat in (shover, asked):
        answer = writes(clients[seat], chat_of(game), "I have aces")
        assert answer["code"] == "chat_all_in"
    assert writes(clients[folded], chat_of(game), "good luck")["type"] == "result"
    assert stored() == ["good luck"]
    chatty.CHAT_QUIET_ALL_IN = False
    assert writes(clients[asked], chat_of(game), "I think")["type"] == "result"
