"""Stored notes on players."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from config import limits


class NoteColour(models.TextChoices):
    """Colour of a note's mark at the seat."""

    NONE = "", _("No colour")
    RED = "red", _("Red")
    ORANGE = "orange", _("Orange")
    YELLOW = "yellow", _("Yellow")
    GREEN = "green", _("Green")
    BLUE = "blue", _("Blue")
    PURPLE = "purple", _("Purple")


class PlayerNote(models.Model):
    """Note of `owner` on another player: a text, a colour, or both; only the owner reads it."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    about = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    text = models.CharField(max_length=limits.NOTE_MAX_CHARACTERS, blank=True)
    colour = models.CharField(max_length=6, choices=NoteColour.choices, blank=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("note on a player")
        verbose_name_plural = _("notes on players")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["owner", "about"], name="player_note_once"),
            models.CheckConstraint(condition=~Q(owner=F("about")), name="player_note_on_others"),
            models.CheckConstraint(
                condition=~Q(text="", colour=""), name="player_note_says_something"
            ),
            models.CheckConstraint(
                condition=Q(colour__in=NoteColour.values), name="player_note_colour_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.owner_id} -> {self.about_id}"  # no text: it is the owner's alone
