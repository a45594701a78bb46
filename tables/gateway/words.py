"""Sentences of refusals and goodbyes of a socket, in the language of its client."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils import translation
from django.utils.translation import gettext, gettext_lazy

from config.door.language import language_of
from config.refusals import Refusal, filled
from tables.wire.client_events import Bye, Refused

REFUSALS = {
    "not_text": gettext_lazy("Messages are text, not bytes."),
    "too_large": gettext_lazy("This message is too large."),
    "not_json": gettext_lazy("This message is not JSON."),
    "bad_message": gettext_lazy("This message is not part of the protocol."),
    "slow_down": gettext_lazy("Too many messages; this one was not read."),
    "login": gettext_lazy("Please log in first."),
    "not_yours": gettext_lazy("These notices belong to somebody else."),
    "no_such_stream": gettext_lazy("There is nothing to follow under that name."),
    "too_many_streams": gettext_lazy("You follow too many streams with one connection."),
    "not_following": gettext_lazy("The connection is not ready for this yet. Try again."),
    "no_ranks": gettext_lazy("Nobody is ranked there now."),
    "taken_over": gettext_lazy("You play this table in another window."),
    "watching": gettext_lazy("You only watch this table with this connection."),
    "no_table": gettext_lazy("This table is not open."),
    "not_seated": gettext_lazy("You have no seat at this table."),
    "too_many_commands": gettext_lazy("Too many of your commands are waiting at this table."),
    "unavailable": gettext_lazy("The room cannot take this now; look at the table and try again."),
    "chat_of_spectators": gettext_lazy("Players write in the chat of the players."),
    "no_answer": gettext_lazy("The table did not answer; look at it before you try again."),
}

BYES = {
    "session_expired": gettext_lazy("You are no longer logged in."),
    "token_over": gettext_lazy("The access token is not valid any more."),
    "banned": gettext_lazy("Your account is closed."),
    "protocol": gettext_lazy("Too many messages, or too many that nobody can read."),
    "too_many_sockets": gettext_lazy("Too many connections."),
    "link_revoked": gettext_lazy("This link was revoked."),
}


class Tongue:
    """Translator for one client: language by its cookie, then its account, then its browser."""

    __slots__ = ("language",)

    def __init__(self, scope: Mapping[str, Any], cookies: dict[str, str], account: str) -> None:
        self.language = language_of(scope, cookies, account)

    def __call__(self, sentence: str) -> str:
        """Return the sentence, translated where there is a translation."""
        with translation.override(self.language):
            return gettext(sentence) if sentence else sentence

    def refused(
        self, code: str, *, id: str | None = None, stream: str | None = None, detail: str = ""
    ) -> Refused:
        """Return a refusal by the socket itself; `detail` names the field, in English."""
        with translation.override(self.language):
            message = str(REFUSALS[code])
        return Refused(
            code=code,
            message=f"{message} ({detail})" if detail else message,
            id=id,
            stream=stream,
        )

    def chat_refused(self, refusal: Refusal, *, id: str) -> Refused:
        """Return a refusal of the chat with its values."""
        return Refused(
            code=refusal.code,
            message=filled(self(refusal.sentence), refusal.allowed),
            id=id,
            allowed=dict(refusal.allowed) or None,
        )

    def bye(self, code: str) -> Bye:
        """Return a goodbye with its reason."""
        with translation.override(self.language):
            return Bye(code=code, message=str(BYES[code]))
