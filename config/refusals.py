"""Base of every refusal of the room: a code, a sentence, and the values that would be accepted."""

from __future__ import annotations

from collections.abc import Mapping


def marked(sentence: str) -> str:
    """Return a sentence unchanged; called `_`, it puts the sentence into the catalogs."""
    return sentence


_ = marked


class Refusal(Exception):
    """Refused request; nothing has changed.

    `code` is for programs. `sentence` is English, as it stands in the catalogs, with places for
    the values in `allowed`; it is translated where it is shown. `allowed` names accepted values,
    `money` those of them in minor units. `field` is the option that is wrong, or "", and `item`
    the index of the wrong row in it, None where no single one is wrong.
    """

    code: str = "refused"
    sentence: str = _("That is not possible.")
    field: str = ""
    money: frozenset[str] = frozenset()

    def __init__(
        self,
        sentence: str = "",
        *,
        code: str = "",
        field: str = "",
        item: int | None = None,
        **allowed: object,
    ) -> None:
        self.code = code or self.code
        self.sentence = sentence or self.sentence
        self.field = field or self.field
        self.item = item
        self.allowed = allowed
        super().__init__()

    def __str__(self) -> str:
        return filled(self.sentence, self.allowed)


class RuleRefusal(Refusal):
    """Refusal by a rule of an engine; several rules share a code where players need not care."""

    def __init__(
        self,
        code: str,
        sentence: str,
        *,
        field: str = "",
        item: int | None = None,
        **allowed: object,
    ) -> None:
        super().__init__(sentence, code=code, field=field, item=item, **allowed)


def filled(sentence: str, allowed: Mapping[str, object]) -> str:
    """Return a sentence with its values put in, lists with commas."""
    if "%(" not in sentence:  # it may speak of 100 %
        return sentence
    return sentence % {
        name: ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else value
        for name, value in allowed.items()
    }
