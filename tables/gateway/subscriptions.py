"""Streams that one socket follows: which it may, how many, and the end of each."""

from __future__ import annotations

from config import limits
from tables.gateway.hub import Gateway
from tables.gateway.links import LinkRights
from tables.gateway.streams.followers import StreamFollower
from tables.gateway.streams.known_kinds import kind_of, may_follow
from tables.gateway.streams.recent import position
from tables.gateway.streams.send_queue import SendQueue
from tables.gateway.words import Tongue
from tables.wire.client_commands import Subscribe


class Subscriptions:
    """Followers of one socket by stream; a socket with a `link` follows the streams of the link."""

    __slots__ = ("_gateway", "_link", "_outbox", "_source", "_tongue", "_user", "followers")

    def __init__(
        self,
        gateway: Gateway,
        outbox: SendQueue,
        tongue: Tongue,
        *,
        user: int | None,
        source: str,
        link: LinkRights | None,
    ) -> None:
        self.followers: dict[str, StreamFollower] = {}
        self._gateway = gateway
        self._outbox = outbox
        self._tongue = tongue
        self._user = user
        self._source = source
        self._link = link

    def subscribe(self, request: Subscribe) -> None:
        """Follow a stream, or refuse; commands of a former subscription keep their answers."""
        refusal = self._refusal(request.stream)
        if refusal is not None:
            self._outbox.answer(self._tongue.refused(refusal, stream=request.stream))
            return
        kind = kind_of(request.stream)
        assert kind is not None
        pending = self.unsubscribe(request.stream)
        follower = self.followers[request.stream] = StreamFollower(
            request.stream,
            self._user,
            self._outbox,
            self._tongue,
            tab=self._gateway.lines.new_tab(request.window),
            after=None if request.after is None else position(request.after),
            watch=request.watch,
            window=request.window,
            asks=request.ask,
            source=self._source,
            urgent=kind.urgent,
        )
        follower.link = None if self._link is None else self._link.link
        follower.pending.update(pending)
        self._gateway.follow(follower)

    def unsubscribe(self, stream: str) -> dict[str, float]:
        """Leave a stream; return the commands of it that still await an answer."""
        follower = self.followers.pop(stream, None)
        if follower is None:
            return {}
        self._gateway.unfollow(follower)
        return follower.pending

    def leave_all(self) -> None:
        """Leave every stream."""
        for follower in self.followers.values():
            self._gateway.unfollow(follower)
        self.followers.clear()

    def start_over(self, streams: set[str]) -> None:
        """Have snapshots of these streams sent after messages of theirs were dropped."""
        for stream in streams:
            if stream in self.followers:
                self._gateway.start_over(self.followers[stream])

    def _refusal(self, stream: str) -> str | None:
        if self._link is not None and stream not in self._link.streams:
            return "not_yours"
        if kind_of(stream) is None:
            return "no_such_stream"
        if not may_follow(stream, self._user):
            return "login" if self._user is None else "not_yours"
        for name in [name for name, follower in self.followers.items() if follower.gone]:
            del self.followers[name]
        if len(self.followers.keys() - {stream}) >= limits.SUBSCRIPTIONS_PER_SOCKET_MAX:
            return "too_many_streams"
        return None
