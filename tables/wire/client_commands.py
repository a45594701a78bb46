"""Messages that a client may send, one struct each; any other message is refused."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

END = r"$(?!\n)"
"""End of a text, also where it ends with a line feed: `$` alone matches before that one, too."""

CommandId = Annotated[
    str, msgspec.Meta(min_length=1, max_length=36, pattern=rf"^[A-Za-z0-9-]+{END}")
]
StreamName = Annotated[
    str, msgspec.Meta(max_length=40, pattern=rf"^[a-z]+(:(0|[1-9][0-9]{{0,17}}))?{END}")
]
"""Name of a stream in its only spelling: `table:05` would name a second stream beside `table:5`."""

EventId = Annotated[str, msgspec.Meta(max_length=40, pattern=rf"^[0-9]{{1,18}}-[0-9]{{1,18}}{END}")]
Number = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
Digits = Annotated[str, msgspec.Meta(pattern=rf"^[0-9a-f]{{64}}{END}")]
"""32 bytes as lower-case hexadecimal digits."""

WindowName = Annotated[str, msgspec.Meta(max_length=24, pattern=rf"^[A-Za-z0-9]*{END}")]
EmoteKey = Literal[
    "nice_hand", "well_played", "good_luck", "thanks", "hello", "sorry", "wow", "laughing"
]
"""Emotes of chats."""

ShowdownChoice = Literal["auto", "muck", "show"]
"""Treatment of a beaten hand at the showdown: `auto` shows it unless a better hand was shown
before, `muck` never, `show` always."""


class Message(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """Base of all client messages."""


class Subscribe(Message, frozen=True, tag="subscribe"):
    """Follow a stream, from just after an event id already seen, else from a snapshot.

    The socket that subscribed last plays the player's own table, unless it subscribed with `watch`.
    With `ask`, a table that is played from another `window` stays with that window, and this socket
    receives `taken_over`.
    """

    stream: StreamName
    after: EventId | None = None
    watch: bool = False
    window: WindowName = ""
    ask: bool = False


class Unsubscribe(Message, frozen=True, tag="unsubscribe"):
    """Stop following a stream."""

    stream: StreamName


class Act(Message, frozen=True, tag="act"):
    """Answer the turn (table, epoch, hand, turn); `amount`: a bet, or a raise's total, in chips."""

    id: CommandId
    table: Number
    epoch: Number
    hand: Number
    turn: Number
    action: Literal["fold", "check", "call", "bet", "raise"]
    amount: Number | None = None


class SitOut(Message, frozen=True, tag="sit_out"):
    """Sit out: the own seat stays dealt in and is folded at its turn (X-01)."""

    id: CommandId
    table: Number


class ComeBack(Message, frozen=True, tag="come_back"):
    """Return to the own seat after sitting out (X-01)."""

    id: CommandId
    table: Number


class TimeBank(Message, frozen=True, tag="time_bank"):
    """Start the own time bank for the turn that is asked now (X-02)."""

    id: CommandId
    table: Number
    epoch: Number
    hand: Number
    turn: Number


class ShowCards(Message, frozen=True, tag="show"):
    """Show one or both own hole cards after the hand (S-02)."""

    id: CommandId
    table: Number
    epoch: Number
    hand: Number
    cards: Literal["first", "second", "both"]


class ChooseShowdown(Message, frozen=True, tag="showdown"):
    """Choose the treatment of the own beaten hands, from the next deal on (S-01, S-02).

    With `auto` a beaten hand is shown only while no hand shown before beats it, with `muck` never,
    with `show` always; a winning hand is always shown. The choice moves along to other tables; a
    new entry begins with `auto`.
    """

    id: CommandId
    table: Number
    choice: ShowdownChoice


class CutDeck(Message, frozen=True, tag="cut"):
    """Open the seed of the pledge that was called for this hand, and pledge for the next call.

    It has no answer: `deck_cut` tells which seeds counted. Without a `pledge` the seat has none for
    the next call, once its last one was called. A pledge counts when `hand` is that of the table,
    or the one before while the seat was not called since; state 0 in `deck_cut` asks for another.
    """

    table: Number
    epoch: Number
    hand: Number
    seed: Digits | None = None
    pledge: Digits | None = None


class WriteChat(Message, frozen=True, tag="chat"):
    """Write to a chat, e.g. `tablechat:12`; the socket follows that table and has a seat at it.

    The text is stored composed (NFC) and on one line, with at most 200 characters, and is shown as
    it is, without markup. The message comes back as `chat_message` of the chat's stream.
    """

    id: CommandId
    stream: StreamName
    text: str


class ReportChat(Message, frozen=True, tag="chat_report"):
    """Report a message of a followed chat to the moderators."""

    id: CommandId
    stream: StreamName
    message: Number


class SendEmote(Message, frozen=True, tag="chat_emote"):
    """Send an emote to a chat, under the rules and limits of `chat`.

    It comes back as a `chat_message` with its key in `emote` and its symbol as the text.
    """

    id: CommandId
    stream: StreamName
    emote: EmoteKey


class DeleteChat(Message, frozen=True, tag="chat_delete"):
    """Delete a message of a followed chat, as its moderator or as a manager of its club."""

    id: CommandId
    stream: StreamName
    message: Number


class SilenceChat(Message, frozen=True, tag="chat_silence"):
    """Silence the author of a message for some minutes; the author reads the reason.

    Moderators silence in every chat, managers of a club in the chats of the club.
    """

    id: CommandId
    stream: StreamName
    message: Number
    minutes: Number
    reason: str


class AskRank(Message, frozen=True, tag="ask_rank"):
    """Ask for the rank of a stack of so many chips in the field of a followed tournament.

    It comes as `rank`; a question replaces one that still waits.
    """

    stream: StreamName
    chips: Number


class Ping(Message, frozen=True, tag="ping"):
    """Ask for the server's clock; `sent_ms` is returned unchanged in `pong`."""

    sent_ms: Number


AnsweredCommand = Act | SitOut | ComeBack | TimeBank | ShowCards | ChooseShowdown
TableCommand = AnsweredCommand | CutDeck
ModerateChat = DeleteChat | SilenceChat
ChatCommand = WriteChat | SendEmote | ReportChat | ModerateChat
ClientMessage = Subscribe | Unsubscribe | TableCommand | ChatCommand | AskRank | Ping
