"""Every message a client may send, one struct each; anything else is refused."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

CommandId = Annotated[str, msgspec.Meta(min_length=1, max_length=36, pattern=r"^[A-Za-z0-9-]+$")]
StreamName = Annotated[
    str, msgspec.Meta(max_length=40, pattern=r"^[a-z]+(:(0|[1-9][0-9]{0,17}))?$")
]
"""One spelling for each stream: `table:05` would be a stream beside `table:5`."""

EventId = Annotated[str, msgspec.Meta(max_length=40, pattern=r"^[0-9]{1,18}-[0-9]{1,18}$")]
Number = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
WindowName = Annotated[str, msgspec.Meta(max_length=24, pattern=r"^[A-Za-z0-9]*$")]
ShowdownChoice = Literal["auto", "muck", "show"]
"""What becomes of a beaten hand: shown while no better one was shown, never shown, always."""


class Message(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """Base of all client messages."""


class Subscribe(Message, frozen=True, tag="subscribe"):
    """Follow a stream, from just after an event id already seen, else from a snapshot.

    A player's own table is played by the socket that subscribed last, unless it asks to `watch`.
    With `ask` a table that another `window` of the player plays is left to it: `taken_over`.
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
    """Answer the turn (table, epoch, hand, turn); a raise names the total it goes TO, in chips."""

    id: CommandId
    table: Number
    epoch: Number
    hand: Number
    turn: Number
    action: Literal["fold", "check", "call", "bet", "raise"]
    amount: Number | None = None


class SitOut(Message, frozen=True, tag="sit_out"):
    """Be absent from the own seat (X-01)."""

    id: CommandId
    table: Number


class ComeBack(Message, frozen=True, tag="come_back"):
    """Return to the own seat (X-01)."""

    id: CommandId
    table: Number


class TimeBank(Message, frozen=True, tag="time_bank"):
    """Use the time bank for the turn now asked (X-02)."""

    id: CommandId
    table: Number
    epoch: Number
    hand: Number
    turn: Number


class ShowCards(Message, frozen=True, tag="show"):
    """Show own hole cards after the hand (S-02)."""

    id: CommandId
    table: Number
    epoch: Number
    hand: Number
    cards: Literal["first", "second", "both"]


class ChooseShowdown(Message, frozen=True, tag="showdown"):
    """Choose what becomes of the own beaten hands, from the next deal on (S-01, S-02).

    `auto` shows one only where no hand shown before beats it, `muck` never, `show` always; what
    wins is always shown. It moves along to other tables; a new entry begins with `auto`.
    """

    id: CommandId
    table: Number
    choice: ShowdownChoice


class Ping(Message, frozen=True, tag="ping"):
    """Ask for the server's clock."""

    sent_ms: Number


TableCommand = Act | SitOut | ComeBack | TimeBank | ShowCards | ChooseShowdown
ClientMessage = Subscribe | Unsubscribe | TableCommand | Ping
