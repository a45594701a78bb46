"""One followed stream in this process: its newest events, its seats, its followers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping

import msgspec

from config import limits
from tables.gateway.streams.crowd_pace import CrowdPace
from tables.gateway.streams.followers import StreamFollower
from tables.gateway.streams.known_kinds import OWN, StreamKind
from tables.gateway.streams.reader import Known, ReadRequest, Tail, end, head_keys, is_table
from tables.gateway.streams.recent import Position, Recent, name
from tables.store.connections import Connections, Tabs
from tables.wire.client_events import Disconnected

_json = msgspec.json.Encoder().encode


class Feed:
    """A followed stream: its newest events and its followers."""

    def __init__(
        self,
        stream: str,
        kind: StreamKind,
        lines: Connections,
        catch_up: Callable[[Feed, StreamFollower], None],
    ) -> None:
        self.stream = stream
        self.kind = kind
        self._lines = lines
        self._catch_up = catch_up
        self.table = is_table(stream)
        self._head_keys = head_keys(stream)
        self.recent: Recent | None = None
        self.epoch: int | None = None
        self.seated: Mapping[int, int] = {}
        self.tabs: Tabs | None = None
        self.followers: set[StreamFollower] = set()
        self.exists = False
        self.open_to_all: bool | None = None  # unknown until a follower asks
        self.quiet_until = 0.0
        self._misses = 0
        self.shared: tuple[float, Position, str] | None = None
        self._away: tuple[Disconnected, str] | None = None
        self.snapshotting = asyncio.Lock()
        self._flushed_at = 0.0
        self._to_flush: list[StreamFollower] = []
        self._flushing: asyncio.TimerHandle | None = None
        self._pace = CrowdPace(kind)
        self._doubted: set[StreamFollower] = set()

    def unreadable(self, follower: StreamFollower, now_s: float) -> None:
        """Back off, twice as long each time, after the stream had nothing to show to a follower."""
        if not follower.gone and self.recent is not None:
            wait_s = limits.SNAPSHOT_BACK_OFF_FIRST_S * 2**self._misses
            self.quiet_until = now_s + min(wait_s, limits.SNAPSHOT_BACK_OFF_MAX_S)
            self._misses = min(self._misses + 1, 16)

    def readable_again(self) -> None:
        """End the back-off, because there is something new to read."""
        if self._misses:
            self._misses = 0
            self.quiet_until = 0.0

    def wanted(self) -> ReadRequest:
        """Return what to read of the stream for its followers."""
        entries: set[int] = set()
        askers: set[int] = set()
        for follower in self.followers:
            if follower.entry is not None:
                entries.add(follower.entry)
            if follower.user is not None and follower.pending:
                askers.add(follower.user)
        return ReadRequest(
            stream=self.stream,
            after=None if self.recent is None else self.recent.last,
            entries=tuple(entries) if self.recent is not None else (),
            askers=tuple(askers),
            tabs_mark=None if self.tabs is None else self.tabs.mark,
        )

    def known(self) -> Known | None:
        """Return what to compare with Redis; None when this stream must be read in any case."""
        if self.recent is None or any(follower.pending for follower in self.followers):
            return None
        last = name(self.recent.last)
        if not self.table:
            return Known(self.stream, self._head_keys, (last,))
        if self.tabs is None:
            return None
        epoch = "" if self.epoch is None else str(self.epoch)
        return Known(self.stream, self._head_keys, (last, epoch, self.tabs.mark))

    def take(self, tail: Tail, asked_at: float) -> tuple[StreamFollower, ...]:
        """Take in a read made at `asked_at`; return followers that must take their table again."""
        # 1. Add the events. The first read only finds the end of the stream.
        if self.recent is None or tail.wanted.after is None:
            self.recent = Recent(self.stream, end(tail), keep=limits.RECENT_EVENTS_MAX)
        else:
            self.recent.extend(tail.public, tail.private)
            if self._pace.hear(tail.public) and self._to_flush and self._flushing:
                self._flushing.cancel()
                self._wait_a_turn()
        # 2. Learn epoch and seats before sending: a new epoch voids what was sent, and the seat
        #    decides which private events a follower may see.
        if tail.epoch is not None:
            self.epoch = tail.epoch
        if tail.seated is not None:
            self.seated = tail.seated
            self._seat(tail.seated)
        # 3. Send events before results, so that a client sees the effect of its command first.
        self.tell()
        for follower in self.followers:
            if follower.user is not None and follower.pending:
                raw = tail.results.get(follower.user)
                if raw is not None:
                    follower.hear_results(raw)
        # 4. Compare tabs last, with the seats just read.
        return () if tail.tabs is None else self._compare_tabs(tail.tabs, asked_at)

    def _seat(self, seated: Mapping[int, int]) -> None:
        for follower in self.followers:
            if follower.user is None or follower.catching or follower.at is None:
                continue
            entry = seated.get(follower.user)
            if entry != follower.entry:
                follower.entry = None
                if entry is not None:
                    self.restart(follower)

    def _compare_tabs(self, tabs: Tabs, asked_at: float) -> tuple[StreamFollower, ...]:
        self.tabs = tabs
        unheld = []
        for follower in self.followers:
            if follower.held_at is None or follower.user is None:
                continue
            # 1. Read before this socket took the table: the tabs may be older, so read them again.
            # 2. No holder, or an ended socket of this process: the caller takes the table for this
            #    follower.
            # 3. Another live socket: this follower only watches from now on. But what another run
            #    of Redis says first may be older than the taking: take the table again, unasked.
            holder = tabs.of.get(follower.user)
            if follower.held_at >= asked_at:
                self.tabs = None
            elif holder is None or self._lines.is_over(holder):
                unheld.append(follower)
            elif holder == follower.tab:
                continue
            elif follower in self._doubted:
                follower.asks = False
                unheld.append(follower)
            else:
                self.lose(follower)
        self._doubted = set()
        return tuple(unheld)

    def is_contested(self, tail: Tail) -> bool:
        """Return whether tabs that were read take a table from a follower."""
        if tail.tabs is None:
            return False
        held = [follower for follower in self.followers if follower.held_at is not None]
        holders = [(one.tab, tail.tabs.of.get(one.user or 0)) for one in held]
        return any(
            holder is not None and holder != tab and not self._lines.is_over(holder)
            for tab, holder in holders
        )

    def give_table(self, follower: StreamFollower, at: float) -> None:
        """Let a follower play the table since `at`; all others of its user only watch."""
        follower.read_only = False
        follower.held_at = at
        self.tabs = None
        for other in self.followers:
            if other is not follower and other.user == follower.user:
                self.lose(other)

    def lose(self, follower: StreamFollower) -> None:
        """Let a follower only watch, because another window of its user plays."""
        self._lines.ended(follower.tab)
        follower.lose_table()

    def tell_lines(self, followers: Collection[StreamFollower] | None = None) -> None:
        """Send the list of disconnected entries to these followers, or to all, once it is known."""
        if self.tabs is None:
            return
        away = self._lines.disconnected(self.stream, self.seated, self.tabs.of)
        message = Disconnected(self.stream, away)
        if self._away is None or self._away[0] != message:
            self._away = (message, _json(message).decode())
        for follower in self.followers if followers is None else followers:
            follower.hear_lines(*self._away)

    def tell(self) -> None:
        """Send news to players at once, and to spectators in frames of a tenth of a second.

        A crowd gets its frames in turns, so that players need not wait for them.
        """
        waiting = False
        for follower in self.followers:
            if follower.entry is not None or self.kind.prefix == OWN:
                self.tell_one(follower)
            elif follower.at is not None and self._is_behind(follower.at):
                waiting = True
        if waiting and self._flushing is None:
            self._flush_in_time()

    def _flush_in_time(self) -> None:
        loop = asyncio.get_running_loop()
        wait = self._flushed_at + limits.SPECTATOR_FRAME_MS / 1_000 - loop.time()
        if wait <= 0:
            self.flush()
        else:
            self._flushing = loop.call_later(wait, self.flush)

    def _is_behind(self, at: Position) -> bool:
        return at < self.last or (self.epoch is not None and at[0] < self.epoch)

    def flush(self) -> None:
        """Send every follower the events that are new to it, some of a crowd at a time.

        Those of a table get theirs without a pause between, as the result of a hand is told when
        its frame is sent; but messages that came meanwhile have their turn.
        """
        self._flushing = None
        if not self._to_flush:
            self._to_flush = list(self.followers)
            self._pace.begin()
        some = limits.FRAMES_AT_ONCE_MAX
        now, self._to_flush = self._to_flush[:some], self._to_flush[some:]
        for follower in now:
            if not follower.gone:
                self.tell_one(follower)
        loop = asyncio.get_running_loop()
        if self._to_flush:
            self._wait_a_turn()
            return
        self._flushed_at = loop.time()
        self._pace.end()
        # What came during the turns is sent with the next ones.
        if any(one.at is not None and self._is_behind(one.at) for one in self.followers):
            self._flush_in_time()

    def _wait_a_turn(self) -> None:
        wait_s = 0.0 if self.table else self._pace.turn_s
        self._flushing = asyncio.get_running_loop().call_later(wait_s, self.flush)

    def tell_one(self, follower: StreamFollower) -> None:
        """Send a follower its new events; restart it when they are no longer known here."""
        if follower.at is None or self.recent is None:
            return
        if self.epoch is not None and follower.at[0] < self.epoch:
            self.restart(follower)
        elif not self.recent.reaches(follower.at, follower.entry):
            self.restart(follower, after=follower.at)
        else:
            batch = self.recent.after(follower.at, follower.entry)
            if batch is not None:
                follower.at = batch.last
                follower.outbox.events(batch)

    def restart(self, follower: StreamFollower, *, after: Position | None = None) -> None:
        """Send a follower nothing more until it is caught up, from `after` or by a snapshot."""
        follower.at = None
        follower.after = after
        follower.disconnected = None  # the last list may be lost with the rest
        self._catch_up(self, follower)

    def start_over(self) -> None:
        """Discard everything read: find the end of the stream again, send snapshots to all."""
        self.recent = None
        self.shared = None
        self.tabs = None
        self._doubted = {follower for follower in self.followers if follower.held_at is not None}
        for follower in self.followers:
            self.restart(follower)

    @property
    def last(self) -> Position:
        """Newest position that was read."""
        assert self.recent is not None
        return self.recent.last

    def close(self) -> None:
        """Cancel the pending flush after the last follower has left."""
        if self._flushing is not None:
            self._flushing.cancel()
