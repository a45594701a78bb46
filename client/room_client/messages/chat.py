"""Messages of chats. Written by `manage.py protocol_docs`."""

from __future__ import annotations

import msgspec


class ChatSnapshot(msgspec.Struct, frozen=True):
    """The newest messages of a chat, oldest first, without deleted ones."""

    messages: tuple[ChatMessageSent, ...]


class ChatMessageSent(msgspec.Struct, frozen=True, tag_field="type", tag="chat_message"):
    """A player wrote `text`, plain text without markup, at `sent_ms` on the room's clock. Of an
    emote, `emote` is the key and `text` the symbol.
    """

    message: int
    user: int
    name: str
    text: str
    sent_ms: int
    emote: str = ''


class ChatMessageDeleted(msgspec.Struct, frozen=True, tag_field="type", tag="chat_deleted"):
    """A moderator deleted a message: clients take it from the screen."""

    message: int
