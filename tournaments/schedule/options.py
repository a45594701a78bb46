"""Options of an offered tournament: every editable field of its row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import (
    MaxValueValidator,
    MinValueValidator,
    ProhibitNullCharactersValidator,
)
from django.db import models
from django.forms import DateTimeField, Field, IntegerField
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext_lazy

from config.refusals import marked as _
from tournaments.choices import not_among
from tournaments.models import Tournament
from tournaments.models.options.bots import BotOptions
from tournaments.models.options.bounties import BountyOptions
from tournaments.models.options.buying import BuyingOptions
from tournaments.models.options.cards_up import CardsUpOptions
from tournaments.models.options.formats import FormatOptions
from tournaments.models.options.hands import HandOptions
from tournaments.models.options.prizes import PrizeOptions
from tournaments.refusals import BadSpec, NoSuchTournament

Words = Any


def _is_said(field: models.Field[Any, Any]) -> bool:
    return field.editable and not field.primary_key


def _of(part: type[models.Model]) -> tuple[str, ...]:
    """Editable fields of a part of the row, in their order."""
    return tuple(field.name for field in part._meta.local_fields if _is_said(field))


_STRUCTURE = ("structure_name", "structure", "starting_stack")
_MONEY = ("buy_in", "fee", "added", "guarantee", "payout_preset")
_PACE = ("action_ms", "bank_ms", "hand_pause_ms", "showdown_pause_ms", "street_pause_ms")
_BUBBLE = ("bubble_places", "bubble_final", "bubble_charge_ms", "tie_rule")
_FORMAT, _BUYING = _of(FormatOptions), _of(BuyingOptions)
_PRIZES, _BOUNTIES, _HANDS = _of(PrizeOptions), _of(BountyOptions), _of(HandOptions)
_BOTS = _of(BotOptions)
_CARDS_UP = _of(CardsUpOptions)
_GROUPED = {
    *(*_STRUCTURE, *_MONEY, *_PACE, *_BUBBLE),
    *(*_FORMAT, *_BUYING, *_PRIZES, *_BOUNTIES, *_HANDS, *_BOTS, *_CARDS_UP),
}

OFFERED = _of(Tournament)
"""All fields of Tournament that an operator may set."""

GROUPS: Mapping[str, tuple[Words, tuple[str, ...]]] = {
    "general": (
        gettext_lazy("General"),
        (*(name for name in OFFERED if name not in _GROUPED), "starting_stack"),
    ),
    "format": (gettext_lazy("Format"), _FORMAT),
    "money": (gettext_lazy("Money"), _MONEY),
    "buying": (gettext_lazy("Entries, re-buys and add-on"), _BUYING),
    "prizes": (gettext_lazy("Prizes and tickets"), _PRIZES),
    "bounties": (gettext_lazy("Bounties"), _BOUNTIES),
    "hands": (gettext_lazy("Rules of the hand"), _HANDS),
    "bots": (gettext_lazy("Bots"), _BOTS),
    "pace": (gettext_lazy("Pace"), _PACE),
    "cards_up": (gettext_lazy("Streams with cards"), _CARDS_UP),
    "bubble": (gettext_lazy("Hand-for-hand"), _BUBBLE),
}
"""Options by subject, with the translated title of the group; levels are not included."""

OF_CLUBS = ("club", "watched_by", "entered_by")
"""Fields of a club's tournament that only the club's own form sets."""

REPEATED = (
    *(name for name in OFFERED if name != "starts_at"),
    *("start_zone", "password", *OF_CLUBS),
)
"""Fields that the next tournament of a series copies: all options except the start time."""


def read(offer: Mapping[str, object]) -> dict[str, Any]:
    """Decode an offer written as JSON to values of the row; raises BadSpec.

    Amounts are whole cents, chips whole numbers, times in ms; `starts_at` is an ISO date and time;
    `target` is the number of a tournament (T-05).
    """
    if not isinstance(offer, Mapping):
        raise BadSpec(_("An offer is a JSON object of fields and values."))
    unknown = sorted(set(offer) - set(OFFERED))
    if unknown:
        raise unknown_option(unknown[0], OFFERED)
    return {name: _value(name, value) for name, value in offer.items()}


def unknown_option(name: str, allowed: Sequence[str]) -> BadSpec:
    """Return the refusal of an unknown option, with the known names."""
    return BadSpec(
        _("%(option)s is no option of a tournament. There are: %(options)s."),
        option=name,
        options=list(allowed),
    )


def not_a_number(name: str) -> BadSpec:
    """Return the refusal of a value that is no whole number, in the words of the forms."""
    return _refused(name, str(IntegerField.default_error_messages["invalid"]))


def not_a_truth(name: str) -> BadSpec:
    """Return the refusal of a value that is neither true nor false."""
    return _refused(name, _("This is either true or false."))


def below_nothing(name: str) -> BadSpec:
    """Return the refusal of a number below 0, in the words of the forms."""
    return _refused(name, str(MinValueValidator.message) % {"limit_value": 0})


def above(name: str, most: int) -> BadSpec:
    """Return the refusal of a number above `most`, in the words of the forms."""
    return _refused(name, str(MaxValueValidator.message) % {"limit_value": most})


def chosen(tournament: Tournament) -> dict[str, object]:
    """Options of a tournament that differ from their defaults, as JSON values."""
    values: dict[str, object] = {}
    for name in OFFERED:
        field = Tournament._meta.get_field(name)
        # The fields of OFFERED are columns, not relations from elsewhere.
        value = getattr(tournament, field.attname)  # type: ignore[union-attr]
        if name != "structure" and value != field.get_default():  # type: ignore[union-attr]
            values[name] = value.isoformat() if isinstance(value, datetime) else value
    return values


def _value(name: str, value: object) -> Any:
    field: Any = Tournament._meta.get_field(name)
    if field.null and value is None:
        return None
    if isinstance(field, models.DateTimeField):
        return _time(name, value)
    if isinstance(field, models.ForeignKey):
        return _row(name, field, value)
    if isinstance(field, models.JSONField):
        return value
    _check_kind(name, field, value)
    try:
        if isinstance(value, str):
            ProhibitNullCharactersValidator()(value)
        return field.clean(value, None)
    except ValidationError as wrong:
        blank = getattr(wrong, "code", "") == "blank"
        words = [str(Field.default_error_messages["required"])] if blank else wrong.messages
        raise _refused(name, " ".join(words)) from wrong


def _check_kind(name: str, field: Any, value: object) -> None:
    """Refuse a value of another JSON type than the field's; nothing is converted."""
    if isinstance(field, models.BooleanField):
        if not isinstance(value, bool):
            raise not_a_truth(name)
    elif isinstance(field, models.IntegerField):
        if type(value) is not int:
            raise not_a_number(name)
    elif not isinstance(value, str) or not is_text(value):
        raise _refused(name, _("This is a text."))
    elif field.choices and value not in dict(field.choices):
        raise not_among(name, [str(choice) for choice, _words in field.choices])


def is_text(value: str) -> bool:
    """Return whether a text can be stored; a lone surrogate cannot."""
    return not any("\ud800" <= character <= "\udfff" for character in value)


def _time(name: str, value: object) -> datetime:
    try:
        time = parse_datetime(value) if isinstance(value, str) else None
    except ValueError:
        time = None
    if time is None:
        raise _refused(name, str(DateTimeField.default_error_messages["invalid"]))
    return time if timezone.is_aware(time) else timezone.make_aware(time)


def _row(name: str, field: Any, value: object) -> Any:
    target = None
    if type(value) is int and abs(value) < 2**63:
        target = field.related_model.objects.filter(pk=value).first()
    if target is None:
        raise _refused(name, NoSuchTournament.sentence)
    return target


def _refused(name: str, why: str) -> BadSpec:
    return BadSpec(why, field=name)
