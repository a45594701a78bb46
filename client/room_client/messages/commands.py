"""Messages that a client sends. Written by `manage.py protocol_docs`."""

from __future__ import annotations

from typing import Any, Literal

import msgspec


class Subscribe(msgspec.Struct, frozen=True, tag_field="type", tag="subscribe", omit_defaults=True):
    """Follow a stream, from just after an event id already seen, else from a snapshot. The socket
    that subscribed last plays the player's own table, unless it subscribed with `watch`. With
    `ask`, a table that is played from another `window` stays with that window, and this socket
    receives `taken_over`.
    """

    stream: str
    after: str | None = None
    watch: bool = False
    window: str = ''
    ask: bool = False


class Unsubscribe(msgspec.Struct, frozen=True, tag_field="type", tag="unsubscribe", omit_defaults=True):
    """Stop following a stream."""

    stream: str


class Act(msgspec.Struct, frozen=True, tag_field="type", tag="act", omit_defaults=True):
    """Answer the turn (table, epoch, hand, turn); `amount`: a bet, or a raise's total, in chips."""

    id: str
    table: int
    epoch: int
    hand: int
    turn: int
    action: Literal['bet', 'call', 'check', 'fold', 'raise']
    amount: int | None = None


class SitOut(msgspec.Struct, frozen=True, tag_field="type", tag="sit_out", omit_defaults=True):
    """Sit out: the own seat stays dealt in and is folded at its turn (X-01)."""

    id: str
    table: int


class ComeBack(msgspec.Struct, frozen=True, tag_field="type", tag="come_back", omit_defaults=True):
    """Return to the own seat after sitting out (X-01)."""

    id: str
    table: int


class TimeBank(msgspec.Struct, frozen=True, tag_field="type", tag="time_bank", omit_defaults=True):
    """Start the own time bank for the turn that is asked now (X-02)."""

    id: str
    table: int
    epoch: int
    hand: int
    turn: int


class ShowCards(msgspec.Struct, frozen=True, tag_field="type", tag="show", omit_defaults=True):
    """Show one or both own hole cards after the hand (S-02)."""

    id: str
    table: int
    epoch: int
    hand: int
    cards: Literal['both', 'first', 'second']


class ChooseShowdown(msgspec.Struct, frozen=True, tag_field="type", tag="showdown", omit_defaults=True):
    """Choose the treatment of the own beaten hands, from the next deal on (S-01, S-02). With
    `auto` a beaten hand is shown only while no hand shown before beats it, with `muck` never,
    with `show` always; a winning hand is always shown. The choice moves along to other tables;
    a new entry begins with `auto`.
    """

    id: str
    table: int
    choice: Literal['auto', 'muck', 'show']


class CutDeck(msgspec.Struct, frozen=True, tag_field="type", tag="cut", omit_defaults=True):
    """Open the seed of the pledge that was called for this hand, and pledge for the next call. It
    has no answer: `deck_cut` tells which seeds counted. Without a `pledge` the seat has none
    for the next call, once its last one was called. A pledge counts when `hand` is that of the
    table, or the one before while the seat was not called since; state 0 in `deck_cut` asks for
    another.
    """

    table: int
    epoch: int
    hand: int
    seed: str | None = None
    pledge: str | None = None


class WriteChat(msgspec.Struct, frozen=True, tag_field="type", tag="chat", omit_defaults=True):
    """Write to a chat, e.g. `tablechat:12`; the socket follows that table and has a seat at it.
    The text is stored composed (NFC) and on one line, with at most 200 characters, and is shown
    as it is, without markup. The message comes back as `chat_message` of the chat's stream.
    """

    id: str
    stream: str
    text: str


class SendEmote(msgspec.Struct, frozen=True, tag_field="type", tag="chat_emote", omit_defaults=True):
    """Send an emote to a chat, under the rules and limits of `chat`. It comes back as a
    `chat_message` with its key in `emote` and its symbol as the text.
    """

    id: str
    stream: str
    emote: Literal['good_luck', 'hello', 'laughing', 'nice_hand', 'sorry', 'thanks', 'well_played', 'wow']


class ReportChat(msgspec.Struct, frozen=True, tag_field="type", tag="chat_report", omit_defaults=True):
    """Report a message of a followed chat to the moderators."""

    id: str
    stream: str
    message: int


class DeleteChat(msgspec.Struct, frozen=True, tag_field="type", tag="chat_delete", omit_defaults=True):
    """Delete a message of a followed chat, as its moderator or as a manager of its club."""

    id: str
    stream: str
    message: int


class SilenceChat(msgspec.Struct, frozen=True, tag_field="type", tag="chat_silence", omit_defaults=True):
    """Silence the author of a message for some minutes; the author reads the reason. Moderators
    silence in every chat, managers of a club in the chats of the club.
    """

    id: str
    stream: str
    message: int
    minutes: int
    reason: str


class AskRank(msgspec.Struct, frozen=True, tag_field="type", tag="ask_rank", omit_defaults=True):
    """Ask for the rank of a stack of so many chips in the field of a followed tournament. It comes
    as `rank`; a question replaces one that still waits.
    """

    stream: str
    chips: int


class Ping(msgspec.Struct, frozen=True, tag_field="type", tag="ping", omit_defaults=True):
    """Ask for the server's clock; `sent_ms` is returned unchanged in `pong`."""

    sent_ms: int
