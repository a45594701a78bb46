"""Named structures of levels and breaks for tournaments."""

from __future__ import annotations

import re

import msgspec
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from config import limits
from tournaments.engine import structure as rules
from tournaments.engine.refusals import RuleRefusal
from tournaments.refusal_words import refused

_ITEM = re.compile(r"\$\.items\[(\d+)\]")


def decoded(items: object) -> rules.BlindStructure:
    """Decode the structure in a row's JSON; raises RuleRefusal when it cannot be played (L-01)."""
    try:
        return rules.validate_structure(msgspec.convert({"items": items}, rules.BlindStructure))
    except msgspec.ValidationError as broken:
        at = _ITEM.search(str(broken))
        item = None if at is None else int(at[1])
        raise RuleRefusal("bad_structure", str(broken), item=item) from broken


def encoded(structure: rules.BlindStructure) -> list[dict[str, object]]:
    """Encode a structure as JSON for a row."""
    items: list[dict[str, object]] = msgspec.to_builtins(structure)["items"]
    return items


def located(refusal: RuleRefusal) -> str:
    """Return the sentence of a refused structure, after the number of the wrong row."""
    if refusal.item is None:
        return refused(refusal)
    return str(_("Row %(number)s: %(why)s")) % {
        "number": refusal.item + 1,
        "why": refused(refusal),
    }


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
        """Refuse an unplayable structure in forms, beside the wrong field."""
        try:
            levels = decoded(self.items)
        except RuleRefusal as refusal:
            raise ValidationError({"items": located(refusal)}, code=refusal.code) from refusal
        if self.starting_stack is None:  # a form leaves out a value that it refused
            return  # type: ignore[unreachable]
        if self.starting_stack > limits.STACK_MAX_CHIPS:
            words = _("A stack has at most %(chips)s chips.")
            most = words % {"chips": limits.STACK_MAX_CHIPS}
            raise ValidationError({"starting_stack": most}, code="stack_too_large")
        try:
            rules.check_depth(levels, self.starting_stack)
        except RuleRefusal as refusal:
            wrong = {"starting_stack": refused(refusal)}
            raise ValidationError(wrong, code=refusal.code) from refusal

    def rules(self) -> rules.BlindStructure:
        """The structure as the engine reads it."""
        return decoded(self.items)
