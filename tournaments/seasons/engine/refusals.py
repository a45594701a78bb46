"""Refusal of a formula of points, in words."""

from __future__ import annotations

from config.refusals import Refusal


class BadFormula(Refusal):
    """A formula cannot be read, or has no value for a possible result."""

    code = "bad_formula"
    field = "formula"
