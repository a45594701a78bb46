"""Formulas of points as trees: a small grammar, bounded in length, parts, depth and digits.

A formula has numbers, the names `place`, `field` and `buy_in`, the signs + - * / ^, comparisons,
brackets and the functions of `FUNCTIONS`. It has no loop, no assignment and no text, so that its
cost is bounded by its length.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from config import limits
from config.refusals import marked as _
from tournaments.seasons.engine.refusals import BadFormula

NAMES = ("place", "field", "buy_in")
"""Names of a formula: the place, the number of entries, the buy-in in whole units of money."""

FUNCTIONS = {
    "sqrt": (1, 1),
    "log10": (1, 1),
    "floor": (1, 1),
    "ceil": (1, 1),
    "round": (1, 1),
    "min": (2, 10),
    "max": (2, 10),
    "if": (3, 3),
    "table": (1, 60),
}
"""Name of a function -> least and most arguments; `table` gives its argument of number `place`."""

COMPARISONS = ("<=", ">=", "<", ">", "=")


@dataclass(frozen=True, slots=True)
class FormulaNumber:
    """A number of a formula."""

    value: Decimal


@dataclass(frozen=True, slots=True)
class FormulaName:
    """A name of a formula, one of NAMES."""

    name: str


@dataclass(frozen=True, slots=True)
class FormulaCall:
    """A function or sign of a formula with its arguments."""

    function: str
    arguments: tuple[FormulaNode, ...]


FormulaNode = FormulaNumber | FormulaName | FormulaCall

_TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?|\.\d+)|([A-Za-z_][A-Za-z_0-9]*)|(<=|>=|[-+*/^()<>=,]))")


def parse_formula(text: str) -> FormulaNode:
    """Return the tree of a formula; raises BadFormula for anything else."""
    if len(text) > limits.FORMULA_MAX_CHARACTERS:
        raise BadFormula(
            _("A formula has at most %(most)s characters."), most=limits.FORMULA_MAX_CHARACTERS
        )
    tokens = _tokens(text)
    if len(tokens) > limits.FORMULA_PARTS_MAX:
        raise BadFormula(
            _("A formula has at most %(most)s numbers, names and signs."),
            most=limits.FORMULA_PARTS_MAX,
        )
    reader = _Reader(tokens)
    tree = reader.comparison(0)
    if reader.ahead:
        raise _unexpected(reader.ahead)
    return tree


def _tokens(text: str) -> list[str]:
    found, at, end = [], 0, len(text.rstrip())
    while at < end:
        match = _TOKEN.match(text, at, end)
        if match is None:
            raise _unexpected(text[at:end].strip()[0])
        found.append(match[0].strip())
        at = match.end()
    if not found:
        raise BadFormula(_("A formula is needed."))
    return found


def _unexpected(sign: str) -> BadFormula:
    return BadFormula(_("“%(sign)s” is not expected here in a formula."), sign=sign[:20])


class _Reader:
    """Recursive descent over the tokens; each method reads one rank of signs."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._at = 0

    @property
    def ahead(self) -> str:
        """The next token; "" at the end."""
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def comparison(self, depth: int) -> FormulaNode:
        """Read two sums with a comparison between them, or one sum."""
        if depth > limits.FORMULA_DEPTH_MAX:
            raise BadFormula(
                _("A formula has at most %(most)s brackets within each other."),
                most=limits.FORMULA_DEPTH_MAX,
            )
        left = self._chain(depth, ("+", "-"), self._product)
        if self.ahead in COMPARISONS:
            sign = self._take()
            right = self._chain(depth, ("+", "-"), self._product)
            return FormulaCall(sign, (left, right))
        return left

    def _product(self, depth: int) -> FormulaNode:
        return self._chain(depth, ("*", "/"), self._signed)

    def _chain(
        self, depth: int, signs: tuple[str, ...], part: Callable[[int], FormulaNode]
    ) -> FormulaNode:
        node = part(depth)
        while self.ahead in signs:
            sign = self._take()
            node = FormulaCall(sign, (node, part(depth)))
        return node

    def _signed(self, depth: int) -> FormulaNode:
        minus = 0
        while self.ahead == "-":
            self._take()
            minus += 1
        base = self._atom(depth)
        if self.ahead == "^":
            self._take()
            negative = self.ahead == "-"
            if negative:
                self._take()
            exponent = self._atom(depth)
            if negative:
                exponent = FormulaCall("negative", (exponent,))
            base = FormulaCall("^", (base, exponent))
        return FormulaCall("negative", (base,)) if minus % 2 else base

    def _atom(self, depth: int) -> FormulaNode:
        part = self._take()
        if part == "(":
            inner = self.comparison(depth + 1)
            self._expect(")")
            return inner
        if part[:1].isdigit() or part[:1] == ".":
            if len(part) > limits.FORMULA_DIGITS_MAX:
                raise BadFormula(
                    _("A number of a formula has at most %(most)s digits."),
                    most=limits.FORMULA_DIGITS_MAX,
                )
            return FormulaNumber(Decimal(part))
        if self.ahead == "(" and part in FUNCTIONS:
            return self._call(part, depth)
        if part in NAMES:
            return FormulaName(part)
        if part[:1].isalpha() or part[:1] == "_":
            raise BadFormula(
                _("“%(name)s” is unknown in a formula. Known are: %(known)s."),
                name=part[:20],
                known=[*NAMES, *FUNCTIONS],
            )
        raise _unexpected(part)

    def _call(self, function: str, depth: int) -> FormulaNode:
        self._expect("(")
        arguments = [self.comparison(depth + 1)]
        while self.ahead == ",":
            self._take()
            arguments.append(self.comparison(depth + 1))
        self._expect(")")
        least, most = FUNCTIONS[function]
        if not least <= len(arguments) <= most:
            raise BadFormula(
                _("%(function)s takes %(least)s to %(most)s arguments in a formula."),
                function=function,
                least=least,
                most=most,
            )
        return FormulaCall(function, tuple(arguments))

    def _take(self) -> str:
        part = self.ahead
        if not part:
            raise BadFormula(_("The formula ends too early."))
        self._at += 1
        return part

    def _expect(self, sign: str) -> None:
        part = self._take()
        if part != sign:
            raise _unexpected(part)
