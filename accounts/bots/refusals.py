"""Refusals about bot accounts and where they play."""

from __future__ import annotations

from config.refusals import Refusal
from config.refusals import marked as _


class TooManyBots(Refusal):
    """Refusal of one more bot of an owner."""

    code = "too_many_bots"
    sentence = _("You can have at most %(most)s bots at once.")


class NoSuchBot(Refusal):
    """Refusal about a bot that is not the user's, or is retired."""

    code = "no_such_bot"
    sentence = _("You have no such bot.")


class BotsOwnNoBots(Refusal):
    """Refusal of a bot that wants bots of its own."""

    code = "bots_own_no_bots"
    sentence = _("Bots have no bots of their own.")


class BotsNotAllowed(Refusal):
    """Refusal of a bot at a game of people."""

    code = "bots_not_allowed"
    sentence = _("Only people play here.")


class BotsOnly(Refusal):
    """Refusal of a person in a tournament of bots."""

    code = "bots_only"
    sentence = _("Only bots play here.")


class OwnerBanned(Refusal):
    """Refusal of a bot whose owner may not play."""

    code = "owner_banned"
    sentence = _("The owner of this bot may not play.")
