"""Games that bots and people may enter: bots of users play only where they are let in."""

from __future__ import annotations

from enum import StrEnum

from accounts.bots.models import BotAccount
from accounts.bots.refusals import BotsNotAllowed, BotsOnly, OwnerBanned
from accounts.models import User
from accounts.research.mark import validate_person
from config.postgres.statements import ANY_KEY, BuiltOnce

_OWNED = BuiltOnce(lambda pk: BotAccount.objects.filter(pk=pk).select_related("owner"), ANY_KEY)


class BotsAdmitted(StrEnum):
    """Players of a game: people alone, both, or bots alone."""

    NONE = "none"
    ALLOWED = "allowed"
    ONLY = "only"


def validate_player(user: User, admitted: str) -> None:
    """Refuse a player whom a game does not admit.

    The room's own bots, which nobody owns, fill demonstrations and drills: they play everywhere.
    Raises BotsNotAllowed, BotsOnly, OwnerBanned, or NoPeople in a research room.
    """
    validate_person(is_bot=user.is_bot)
    if not user.is_bot:
        if admitted == BotsAdmitted.ONLY:
            raise BotsOnly
        return
    found = _OWNED.rows(user.pk)
    if not found:
        return
    [owned] = found
    if admitted == BotsAdmitted.NONE:
        raise BotsNotAllowed
    if not owned.owner.is_active:
        raise OwnerBanned
