"""Bodies of webhook messages: JSON for programs, one sentence for chat rooms."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts import money
from tournaments import words
from tournaments.events import client_events as events
from tournaments.events.client_events import TournamentEvent
from tournaments.events.formats import Finished
from tournaments.events.prizes import BountyWon
from tournaments.models import Tournament, Webhook

_decode = msgspec.json.Decoder(TournamentEvent).decode
_encode = msgspec.json.Encoder().encode

RESULTS = (events.Started, events.FinalTable, Finished, events.Cancelled)
COURSE = (
    *(*RESULTS, events.BreakBegan, events.Paused, events.Resumed),
    *(events.PlayerOut, events.PlayerPlaced, BountyWon),
)
TELLS: dict[str, tuple[type, ...] | None] = {
    Webhook.Scope.RESULTS: RESULTS,
    Webhook.Scope.COURSE: COURSE,
    Webhook.Scope.ALL: None,
}
"""Scope -> events it tells; None: every one."""

TEXT_FIELDS: dict[str, str] = {
    Webhook.Form.DISCORD: "content",
    Webhook.Form.SLACK: "text",
    Webhook.Form.TELEGRAM: "text",
}
"""Form of a chat service -> field of its message that holds the text."""

Say = Callable[[], str]
"""Sentence in the active language."""

_AT = {"@": "@\u200b"}
"""A sign that is not seen between @ and a name: nobody is mentioned."""
_BRACKET = {"]": "]\u200b"}
"""Bracket that ends no words of a link, as Mattermost and Rocket.Chat write links."""

# Names of players and tournaments, and reasons, are plain text in a chat: no mark-up, no link
# behind other words, no mention.
_PLAIN: dict[str, dict[int, str]] = {
    Webhook.Form.DISCORD: str.maketrans({mark: f"\\{mark}" for mark in "\\*_~`|>#[]()"}),
    Webhook.Form.SLACK: str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", **_AT, **_BRACKET}),
    Webhook.Form.TELEGRAM: str.maketrans(_AT),
}


def body(webhook: Webhook, tournament: Tournament, seq: int, payload: bytes) -> tuple[str, str]:
    """Return the type of an event and the body that tells it; the body is empty if untold."""
    event = _decode(payload)
    tag = str(event.__struct_config__.tag)
    told = TELLS[webhook.scope]
    if told is not None and not isinstance(event, told):
        return tag, ""
    if webhook.form == Webhook.Form.JSON:
        return tag, _as_json(tag, tournament, seq, payload)
    with override(webhook.language):
        text = sentence(event)
    return tag, _as_text(webhook, tournament, text) if text else ""


def notice_body(
    webhook: Webhook, tournament: Tournament, event: str, minutes: int, say: Say
) -> str:
    """Return the body of a notice that is no event of the tournament's stream.

    `minutes` before the start it tells of, 0 for none; `say` gives its sentence.
    """
    if webhook.form == Webhook.Form.JSON:
        facts = {"type": event, "minutes": minutes, "starts_at_ms": tournament.starts_at_ms}
        return _as_json(event, tournament, minutes, _encode(facts))
    with override(webhook.language):
        return _as_text(webhook, tournament, say(), with_name=False)


def hand_body(event: str, tournament: Tournament, number: int, payload: bytes) -> str:
    """Return the body that tells a finished hand, which is told as JSON only."""
    return _as_json(event, tournament, number, payload)


def _as_text(webhook: Webhook, tournament: Tournament, text: str, *, with_name: bool = True) -> str:
    plain = _PLAIN[webhook.form]
    text, name = text.translate(plain), tournament.name.translate(plain)
    lead = f"{name}: {text}" if with_name else text
    message: dict[str, object] = {TEXT_FIELDS[webhook.form]: f"{lead}\n{_page(tournament)}"}
    if webhook.form == Webhook.Form.DISCORD:
        message["allowed_mentions"] = {"parse": []}
    return _encode(message).decode()


def sentence(event: TournamentEvent) -> str:
    """Return an event in one sentence of the active language; empty if chats are not told it."""
    say = _SENTENCES.get(type(event))
    return say(event) if say else ""


def _as_json(tag: str, tournament: Tournament, seq: int, payload: bytes) -> str:
    told = {
        "type": tag,
        "seq": seq,
        "tournament": {
            "id": tournament.pk,
            "name": tournament.name,
            "address": _page(tournament),
        },
        "event": msgspec.Raw(payload),
    }
    return _encode(told).decode()


def _page(tournament: Tournament) -> str:
    return settings.PUBLIC_URL + reverse("tournament", args=[tournament.pk])


def _started(event: events.Started) -> str:
    values = {"entrants": event.entrants, "pool": money.text(event.pool)}
    if not event.pool:
        return _("The tournament has started: %(entrants)s entries.") % values
    return _("The tournament has started: %(entrants)s entries, prize pool %(pool)s.") % values


def _final_table(event: events.FinalTable) -> str:
    return _("The final table begins with %(left)s players.") % {"left": event.left}


def _finished(event: Finished) -> str:
    values = {"name": event.name, "prize": money.text(event.prize)}
    if not event.prize:
        return _("%(name)s wins the tournament.") % values
    return _("%(name)s wins the tournament and %(prize)s.") % values


def _cancelled(event: events.Cancelled) -> str:
    return _("The tournament was cancelled: %(reason)s") % {"reason": words.why(event.reason)}


def _paused(event: events.Paused) -> str:
    return _("The tournament is paused: %(reason)s") % {"reason": words.why(event.reason)}


def _out(event: events.PlayerOut | events.PlayerPlaced) -> str:
    values = {"name": event.name, "place": event.place, "prize": money.text(event.prize)}
    if event.place is None:
        return _("%(name)s is out.") % values
    if not event.prize:
        return _("%(name)s is out in place %(place)s.") % values
    return _("%(name)s is out in place %(place)s and wins %(prize)s.") % values


def _bounty(event: BountyWon) -> str:
    values = {"name": event.name, "winners": ", ".join(share.name for share in event.to)}
    return _("The bounty on %(name)s goes to %(winners)s.") % values


_SENTENCES: dict[type, Callable[..., str]] = {
    events.Started: _started,
    events.FinalTable: _final_table,
    Finished: _finished,
    events.Cancelled: _cancelled,
    events.BreakBegan: lambda event: _("A break has begun."),
    events.Paused: _paused,
    events.Resumed: lambda event: _("The tournament goes on."),
    events.PlayerOut: _out,
    events.PlayerPlaced: _out,
    BountyWon: _bounty,
}
