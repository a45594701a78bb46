"""A mail server on this machine that keeps what it is given."""

from __future__ import annotations

import email
import email.policy
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from typing import Any

from config import environment


class MailSink:
    """SMTP server that accepts every message, or answers `refusal` to each recipient."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.refusal = ""
        owner = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                self._say("220 sink")
                for line in self.rfile:
                    verb = line[:4].strip().upper()
                    if verb == b"DATA":
                        self._say("354 go on")
                        owner._keep(b"".join(iter(self.rfile.readline, b".\r\n")))
                    if verb == b"QUIT":
                        self._say("221 bye")
                        return
                    self._say(owner.refusal if verb == b"RCPT" and owner.refusal else "250 ok")

            def _say(self, words: str) -> None:
                self.wfile.write(f"{words}\r\n".encode())

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True

    @property
    def url(self) -> str:
        """MAIL_URL of a room that sends its mail here."""
        return f"smtp://127.0.0.1:{self._server.server_address[1]}"

    def _keep(self, data: bytes) -> None:
        parsed = email.message_from_bytes(data, policy=email.policy.default)
        assert isinstance(parsed, EmailMessage)
        self.mails.append(parsed)


@contextmanager
def mail_sink() -> Iterator[MailSink]:
    """A mail server that listens during the block."""
    sink = MailSink()
    thread = threading.Thread(target=sink._server.serve_forever, daemon=True)
    thread.start()
    try:
        yield sink
    finally:
        sink._server.shutdown()
        sink._server.server_close()


@contextmanager
def room_mail_sink(settings: Any) -> Iterator[MailSink]:
    """A mail server that listens during the block, and gets the mail of the room."""
    with mail_sink() as sink:
        settings.MAIL_URL = sink.url
        for name, value in environment.mail(sink.url).items():
            setattr(settings, name, value)
        yield sink
