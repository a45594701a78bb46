"""A named structure of levels and breaks that tournaments are made from."""

from __future__ import annotations

import msgspec
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.engine import structure as rules
from tournaments.engine.refusals import Refusal
from tournaments.refusal_words import refused


def decoded(items: object) -> rules.Structure:
    """The structure of a row's JSON, checked; raises a Refusal when it cannot be played (L-01)."""
    try:
        return rules.sound(msgspec.convert({"items": items}, rules.Structure))
    except msgspec.ValidationError as broken:
        raise Refusal("bad_structure", str(broken)) from broken


def encoded(structure: rules.Structure) -> list[dict[str, object]]:
    """A structure as JSON for a row."""
    items: list[dict[str, object]] = msgspec.to_builtins(structure)["items"]
    return items


class Structure(models.Model):
    """Levels and breaks in order, and the starting stack in chips they are made for (L-01)."""

    name = models.CharField(_("name"), max_length=60, unique=True)
    items = models.JSONField(_("levels and breaks"))
    starting_stack = models.PositiveBigIntegerField(_("starting stack"))

    class Meta:
        verbose_name = _("structure")
        verbose_name_plural = _("structures")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """Refuse what cannot be played, in forms."""
        try:
            decoded(self.items)
        except Refusal as refusal:
            raise ValidationError({"items": refused(refusal)}, code=refusal.code) from refusal

    def rules(self) -> rules.Structure:
        """The structure as the engine reads it."""
        return decoded(self.items)
