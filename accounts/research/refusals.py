"""Refusals of a research room."""

from __future__ import annotations

from config.refusals import Refusal
from config.refusals import marked as _


class ResearchRefusal(Refusal):
    """Base of the refusals of research rooms."""


class NoPeople(ResearchRefusal):
    """Refusal of a person's account, seat or entry in a research room."""

    code = "research_room"
    sentence = _("This is a research room: bots alone play here, and people have no accounts.")


class MarkedAlready(ResearchRefusal):
    """Refusal of a second mark."""

    code = "marked_already"
    sentence = _("This room is a research room already, and stays one.")


class PeopleHere(ResearchRefusal):
    """Refusal of the mark in a room where `people` have accounts."""

    code = "people_here"
    sentence = _("%(people)s people have accounts here: this room cannot become a research room.")
