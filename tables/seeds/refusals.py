"""Refusals of the mark of a research room and of seeds."""

from __future__ import annotations

from accounts.research.refusals import ResearchRefusal
from config.refusals import marked as _


class TablesHere(ResearchRefusal):
    """Refusal of the mark in a room that has opened tables."""

    code = "tables_here"
    sentence = _("Tables were opened here: only a new room can become a research room.")


class NotResearch(ResearchRefusal):
    """Refusal of a seed in a room without the mark."""

    code = "not_research"
    sentence = _("Only games of a research room are dealt from seeds.")


class WrongSeed(ResearchRefusal):
    """Refusal of a seed that is no whole number within its bounds."""

    code = "wrong_seed"
    field = "seed"
    sentence = _("A seed is a whole number from 0 to %(most)s.")


class SeedGiven(ResearchRefusal):
    """Refusal of another seed for a game that has one."""

    code = "seed_given"
    field = "seed"
    sentence = _("This game has another seed already, and keeps it.")


class NoSuchGame(ResearchRefusal):
    """Refusal of a seed for a game that does not exist, or has begun."""

    code = "no_such_game"
    sentence = _("There is no game of this number that has not begun.")
