"""Numbers of chats after a PostgreSQL that came back without its last rows."""

from __future__ import annotations

import pytest
from django.conf import LazySettings
from django.db import connection
from redis import Redis

from accounts.models import User
from tables.chat.models import ChatChannel, ChatMessage
from tables.chat.sending import ChatAuthor, send_message
from tables.store import keys
from tables.workers import database_losses
from tests.redis_answers import entries_of

pytestmark = pytest.mark.django_db(transaction=True)

STREAM = "tablechat:1"


@pytest.mark.parametrize("keep", [0, 1])
def test_a_chat_goes_on_after_an_accepted_loss(
    room: Redis, settings: LazySettings, keep: int
) -> None:
    settings.CHAT_SLOW_S = 0
    user = User.objects.create_user("Ann")
    author = ChatAuthor(user.pk, user.name)
    for number in range(3):
        send_message(STREAM, author, f"c{number}", "hello")
    # The last messages are lost, with `keep` 0 the chat itself.
    ChatMessage.objects.filter(seq__gt=keep).delete()
    channels = ChatChannel.objects.filter(stream=STREAM)
    channels.update(last=keep) if keep else channels.delete()
    with connection.cursor() as cursor:
        database_losses.go_on_above(cursor, room)
    send_message(STREAM, author, "c9", "is anybody there?")
    entries = entries_of(room, keys.events(STREAM, 1))
    assert len(entries) == 4, "a message after the loss is told to nobody"
    assert b"is anybody there?" in entries[-1][1][b"e"]
