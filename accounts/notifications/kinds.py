"""Kinds of notifications, registered by the apps whose facts they tell."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from accounts.models import User
from accounts.notifications.models import NotificationChoice, Way
from config.refusals import Refusal
from config.refusals import marked as _

Words = Callable[[], tuple[str, str]]
"""Title and text in the active language."""


class NoSuchKind(Refusal):
    """Choice of a kind of notification, or of a way, that there is not."""

    code = "no_such_kind"
    sentence = _("There is no such notification.")


@dataclass(frozen=True, slots=True)
class Notice:
    """A fact for one player, worthless after `expires_at`; `key` names it once for each player.

    `link` is a path of the room.
    """

    user: int
    key: str
    words: Words
    link: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class NotificationKind:
    """Kind of notification; `title` and `hint` are English sentences, translated where shown.

    `find` returns the notices of a moment for players who want the kind, also those that were told
    before. It reads only what everybody concerned may know at that moment.
    """

    name: str
    title: str
    hint: str
    ways: tuple[Way, ...]
    every_s: int
    find: Callable[[datetime, QuerySet[User]], Iterable[Notice]]
    is_urgent: bool = True


_kinds: dict[str, NotificationKind] = {}


def register(kind: NotificationKind) -> None:
    """Register a kind under its name."""
    assert kind.name not in _kinds, kind.name
    _kinds[kind.name] = kind


def registered() -> list[NotificationKind]:
    """Return all kinds in the order in which the page shows them."""
    return sorted(_kinds.values(), key=lambda kind: (not kind.is_urgent, kind.name))


def kind_named(name: str) -> NotificationKind:
    """Return a kind by its name; raises NoSuchKind."""
    if name not in _kinds:
        raise NoSuchKind
    return _kinds[name]


def asking_users(kind: NotificationKind) -> QuerySet[User]:
    """Return the users who want a kind by a way that can reach them now."""
    chosen = NotificationChoice.objects.filter(kind=kind.name)
    by_push = chosen.filter(way=Way.PUSH, user__push_endpoints__isnull=False)
    by_mail = chosen.filter(way=Way.MAIL, user__email_addresses__is_primary=True)
    users = User.objects.filter(is_active=True)
    return users.filter(pk__in=by_push.values("user")) | users.filter(pk__in=by_mail.values("user"))
