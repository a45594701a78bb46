"""Bots of a user: made, given a token, and retired."""

from __future__ import annotations

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.bots.models import BotAccount
from accounts.bots.refusals import BotsOwnNoBots, NoSuchBot, TooManyBots
from accounts.models import User
from accounts.names import BOT_PREFIX, normal
from accounts.users import access_tokens, newcomers, signup
from accounts.users.welcome import open_account, welcome
from config import limits

SCOPES = ("hands:own", "play", "wallet", "watch")
"""Rights of a bot's token: everything that a player does."""


def bots_of(owner: User) -> QuerySet[BotAccount]:
    """Return the bots of an owner that are not retired, oldest first."""
    rows = BotAccount.objects.filter(owner=owner, retired_at=None)
    return rows.select_related("user").order_by("pk")


def make(owner: User, name: str, source: str | None = None) -> User:
    """Make a bot `bot-<name>`; nobody else may have a name with that prefix.

    Its play money counts among that of the newcomers of an address, `source`. Raises a refusal.
    """
    if owner.is_bot:
        raise BotsOwnNoBots
    name = normal(name)
    signup.check_bot_name(name)
    with transaction.atomic():
        # The lock keeps two forms sent at once below the limit.
        User.objects.select_for_update().get(pk=owner.pk)
        if bots_of(owner).count() >= limits.BOTS_PER_USER_MAX:
            raise TooManyBots(most=limits.BOTS_PER_USER_MAX)
        try:
            with transaction.atomic():
                user = User.objects.create(
                    name=BOT_PREFIX + name, is_bot=True, password=make_password(None)
                )
        except IntegrityError as error:
            raise signup.name_taken() from error
        BotAccount.objects.create(user=user, owner=owner)
        if source is None or newcomers.take(source):
            welcome(user)
        else:
            open_account(user)
    return user


def issue_token(owner: User, bot: int, days: int) -> str:
    """Make the one token of a bot and return its text; an earlier one is revoked."""
    with transaction.atomic():
        user = _locked(owner, bot).user
        _revoke_all(user)
        return access_tokens.issue(user, name="bot", scopes=SCOPES, days=days)


def retire(owner: User, bot: int) -> User:
    """Retire a bot for good: its token and its sockets end, its seats are absent."""
    with transaction.atomic():
        row = _locked(owner, bot)
        row.retired_at = timezone.now()
        row.save(update_fields=["retired_at"])
        _revoke_all(row.user)
    return row.user


def _locked(owner: User, bot: int) -> BotAccount:
    rows = BotAccount.objects.select_for_update(of=("self",)).select_related("user")
    row = rows.filter(owner=owner, pk=bot, retired_at=None).first()
    if row is None:
        raise NoSuchBot
    return row


def _revoke_all(user: User) -> None:
    for token in access_tokens.valid_tokens(user):
        access_tokens.revoke(user, token.pk)
