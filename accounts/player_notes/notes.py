"""Write, read and delete the notes of one player; no other player's are ever read."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.models import User
from accounts.player_notes.models import NoteColour, PlayerNote
from accounts.player_notes.refusals import (
    NoNoteOnSelf,
    NoSuchColour,
    NotesTooFast,
    NoteTooLong,
    NoteUnreadable,
    TooManyNotes,
)
from config import limits
from config.door.rates import Rate
from config.inputs.readable import is_readable, normal_text
from config.postgres.statements import ANY_KEY, BuiltOnce

_ANY = BuiltOnce(
    lambda owner: PlayerNote.objects.filter(owner=owner).values_list("pk", flat=True)[:1], ANY_KEY
)

WRITTEN = Rate("player-notes", limits.NOTES_BURST, limits.NOTES_PER_MINUTE)
"""Notes that a player writes, over all web processes."""


def write_note(owner: User, about: User, *, text: str, colour: str) -> PlayerNote | None:
    """Store the owner's note on a player in place of the former; None: it says nothing, and goes.

    Raises NoteRefusal, in which case nothing has changed.
    """
    text = _checked(text)
    if colour not in NoteColour.values:
        raise NoSuchColour(colours=[one for one in NoteColour.values if one])
    if owner.pk == about.pk:
        raise NoNoteOnSelf
    if wait_s := WRITTEN.take(str(owner.pk)):
        raise NotesTooFast(wait_s=math.ceil(wait_s))
    with transaction.atomic():
        # The owner's notes change one after the other, so that their number is exact.
        User.objects.select_for_update(no_key=True).get(pk=owner.pk)
        own = PlayerNote.objects.filter(owner=owner)
        if not text and not colour:
            own.filter(about=about).delete()
            return None
        known = own.filter(about=about).exists()
        if not known and own.count() >= limits.NOTES_MAX:
            raise TooManyNotes(most=limits.NOTES_MAX)
        note, _ = PlayerNote.objects.update_or_create(
            owner=owner, about=about, defaults={"text": text, "colour": colour}
        )
    return note


def has_notes(owner: int | None) -> bool:
    """Return whether a user has written any note; nobody without a log-in (None) has."""
    return owner is not None and _ANY.first(owner) is not None


def notes_of(owner: User) -> QuerySet[PlayerNote]:
    """Return an owner's notes with their players, by name."""
    return PlayerNote.objects.filter(owner=owner).select_related("about").order_by("about__name")


def subject_of(owner: User, about: int, name: str) -> User | None:
    """Return another player on whom an owner may write: one with a note, or an active one.

    The name of the latter is given, so that numbers tell no names.
    """
    found = User.objects.filter(pk=about).exclude(pk=owner.pk).first()
    if found is None or (found.is_active and found.name == name):
        return found
    return found if note_on(owner, about) else None


def note_on(owner: User, about: int) -> PlayerNote | None:
    """Return the owner's note on a player, or None."""
    return PlayerNote.objects.filter(owner=owner, about=about).first()


def erase(user: User) -> None:
    """Delete the notes of a user, and those of others on the user."""
    PlayerNote.objects.filter(Q(owner=user) | Q(about=user)).delete()


def exported_notes(user: User) -> Iterable[Mapping[str, Any]]:
    """Return a user's own notes; those of others on the user are their writers' alone."""
    return notes_of(user).values("about__name", "text", "colour", "changed_at")


def _checked(text: str) -> str:
    # Composing shortens a text, though not without end.
    if len(text) > 4 * limits.NOTE_MAX_CHARACTERS:
        raise NoteTooLong(most=limits.NOTE_MAX_CHARACTERS)
    text = normal_text(text)
    if len(text) > limits.NOTE_MAX_CHARACTERS:
        raise NoteTooLong(most=limits.NOTE_MAX_CHARACTERS)
    if not is_readable(text):
        raise NoteUnreadable
    return text
