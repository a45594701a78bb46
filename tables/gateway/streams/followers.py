"""Interest of one socket in one stream: how far it was told, and which answers it awaits."""

from __future__ import annotations

from tables.dealer.state import Outcome
from tables.gateway.streams.recent import Position
from tables.gateway.streams.send_queue import SendQueue
from tables.gateway.words import Tongue
from tables.store import readable
from tables.wire.client_events import Disconnected, Refused, Result, TakenOver


class StreamFollower:
    """Interest of one socket in one stream; `at` is None until a snapshot or the tail was sent.

    It is `admitted` once its right to the stream was asked for.
    """

    __slots__ = (
        "admitted",
        "after",
        "asks",
        "at",
        "catching",
        "claimed",
        "disconnected",
        "entry",
        "gone",
        "held_at",
        "link",
        "outbox",
        "pending",
        "ranked_chips",
        "read_only",
        "source",
        "stream",
        "tab",
        "tongue",
        "urgent",
        "user",
        "watch",
        "window",
    )

    def __init__(
        self,
        stream: str,
        user: int | None,
        outbox: SendQueue,
        tongue: Tongue,
        *,
        tab: str,
        after: Position | None,
        watch: bool,
        window: str = "",
        asks: bool = False,
        source: str = "",
        urgent: bool = True,
    ) -> None:
        self.stream = stream
        self.source = source
        self.urgent = urgent
        self.user = user
        self.outbox = outbox
        self.tongue = tongue
        self.after = after
        self.watch = watch
        self.window = window
        self.asks = asks
        self.at: Position | None = None
        self.entry: int | None = None
        self.tab = tab
        self.held_at: float | None = None
        self.read_only = watch
        self.catching = False
        self.gone = False
        self.admitted = False
        self.pending: dict[str, float] = {}
        self.disconnected: tuple[int, ...] | None = None
        self.claimed = False
        self.link: int | None = None
        self.ranked_chips: int | None = None

    @property
    def standing(self) -> tuple[int, str]:
        """Rank and source that share turns: players first, then strangers by address, and chats."""
        if self.user is None:
            return 1, self.source
        return 0 if self.urgent else 1, f"user:{self.user}"

    def lose_table(self) -> None:
        """Only watch from now on: another socket of this user plays the table."""
        if not self.read_only:
            self.read_only = True
            self.held_at = None
            self.outbox.answer(TakenOver(self.stream))

    def refuse(self, code: str) -> None:
        """Tell the client why this stream is not followed."""
        self.outbox.answer(self.tongue.refused(code, stream=self.stream))

    def hear_lines(self, message: Disconnected, frame: str) -> None:
        """Send the list of disconnected entries, unless the client has this list already."""
        if self.at is not None and self.disconnected != message.entries:
            self.disconnected = message.entries
            self.outbox.beside(self.stream, frame)

    def hear_results(self, raw: bytes) -> None:
        """Answer the pending commands among the last results of this user at the table."""
        for outcome in readable.outcomes(raw):
            if self.pending.pop(outcome.id, None) is not None:
                self.outbox.answer(self._told(outcome))

    def _told(self, outcome: Outcome) -> Result | Refused:
        if outcome.ok:
            return Result(outcome.id)
        return Refused(
            code=outcome.code or "refused",
            message=self.tongue(outcome.message or ""),
            id=outcome.id,
            allowed=outcome.allowed,
        )
