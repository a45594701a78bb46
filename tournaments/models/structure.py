"""Named structures of levels and breaks for tournaments."""

from __future__ import annotations

import re

import msgspec
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from accounts.refusals import words_of
from config import limits
from config.refusals import Refusal, RuleRefusal
from tournaments.engine import structure as rules

_ITEM = re.compile(r"\$\.items\[(\d+)\]")


def decoded(items: object) -> rules.BlindStructure:
    """Decode the structure in a row's JSON; raises Refusal when it cannot be played (L-01)."""
    try:
        return rules.validate_structure(msgspec.convert({"items": items}, rules.BlindStructure))
    except msgspec.ValidationError as broken:
        at = _ITEM.search(str(broken))
        item = None if at is None else int(at[1])
        raise RuleRefusal(
            "bad_structure",
            gettext_noop(
                "The levels cannot be read; amounts and times are whole numbers. (%(why)s)"
            ),
            field="structure",
            item=item,
            why=str(broken),
        ) from broken


def encoded(structure: rules.BlindStructure) -> list[dict[str, object]]:
    """Encode a structure as JSON for a row."""
    items: list[dict[str, object]] = msgspec.to_builtins(structure)["items"]
    return items


def located(refusal: Refusal) -> str:
    """Return the sentence of a refused structure, after the number of the wrong row."""
    if refusal.item is None:
        return words_of(refusal)
    return str(_("Row %(number)s: %(why)s")) % {
        "number": refusal.item + 1,
        "why": words_of(refusal),
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
            rules.check_antes(levels)
        except Refusal as refusal:
            raise ValidationError({"items": located(refusal)}, code=refusal.code) from refusal
        if self.starting_stack is None:  # a form leaves out a value that it refused
            return  # type: ignore[unreachable]
        if self.starting_stack > limits.STACK_MAX_CHIPS:
            words = _("A stack has at most %(chips)s chips.")
            most = words % {"chips": limits.STACK_MAX_CHIPS}
            raise ValidationError({"starting_stack": most}, code="stack_too_large")
        try:
            rules.check_depth(levels, self.starting_stack)
        except Refusal as refusal:
            wrong = {"starting_stack": words_of(refusal)}
            raise ValidationError(wrong, code=refusal.code) from refusal

    def rules(self) -> rules.BlindStructure:
        """The structure as the engine reads it."""
        return decoded(self.items)
