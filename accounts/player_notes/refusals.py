"""Refusals of notes on players."""

from __future__ import annotations

from config.refusals import Refusal
from config.refusals import marked as _


class NoteRefusal(Refusal):
    """Base of the refusals of notes on players."""


class NoteTooLong(NoteRefusal):
    """Refusal of a text with more than `most` characters."""

    code = "note_too_long"
    field = "text"
    sentence = _("A note has at most %(most)s characters.")


class NoteUnreadable(NoteRefusal):
    """Refusal of a text with control characters, changes of direction or stacked marks."""

    code = "note_unreadable"
    field = "text"
    sentence = _("This note has characters that cannot be shown here.")


class NoSuchColour(NoteRefusal):
    """Refusal of a colour that notes do not have."""

    code = "note_colour"
    field = "colour"
    sentence = _("Notes have one of these colours: %(colours)s.")


class NoNoteOnSelf(NoteRefusal):
    """Refusal of a note on its own writer."""

    code = "note_on_self"
    sentence = _("You cannot write a note on yourself.")


class TooManyNotes(NoteRefusal):
    """Refusal of one more note than a player may keep."""

    code = "too_many_notes"
    sentence = _("You have %(most)s notes already; delete one first.")


class NotesTooFast(NoteRefusal):
    """Refusal of notes that follow too fast; `wait_s` until the next one."""

    code = "notes_too_fast"
    sentence = _("These are many notes in a short time. Try again in %(wait_s)s seconds.")
