"""The offer that `manage.py simulate` plays, read and refused as an offer of the room is."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from django.utils import timezone
from django.utils.translation import gettext as _

from config import limits
from tournaments.choices import not_among
from tournaments.engine.presets import PRESETS
from tournaments.models import Tournament
from tournaments.models.structure import encoded
from tournaments.models.tournament import Start
from tournaments.refusal_words import field_of, refused
from tournaments.refusals import REFUSALS, BadOffer
from tournaments.schedule import making, options
from tournaments.simulation.options import Options, field_size, sound

TRUE, FALSE = "true", "false"
_TYPES = get_type_hints(Options)
MOST = {
    "late_players": limits.ENTRIES_MAX,
    **{f"{what}_percent": 100 for what in ("buys_again", "deal", "pros", "leave")},
    **dict.fromkeys(("cancel_after_hands", "disqualify_after_hands"), limits.STACK_MAX_CHIPS),
    "level_ms": limits.LEVEL_MAX_MS,
    "think_ms": limits.ACTION_TIME_MAX_MS,
}
"""The largest number of each option that is none of the room's, but of the simulation alone."""

_PLAYERS = ("players_min", "players_max")


def read(words: Sequence[str], given: dict[str, Any]) -> Options:
    """Options of `name=value` words and of other arguments, as they can be played.

    Raises a refusal in the words of the room for whatever the room would refuse (T-05).
    """
    values = dict(given)
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise BadOffer(_("An option reads name=value, not %(word)s.") % {"word": word})
        values[name] = value
    wanted = Options(**{name: _value(name, value) for name, value in values.items()})
    try:
        played = sound(wanted)
        making.check_itself(_row(played))
    except REFUSALS as refusal:
        field = field_of(refusal)
        named = "players" if field in _PLAYERS else field
        raise BadOffer(refused(refusal), field=named) from refusal
    return played


def _value(name: str, value: Any) -> Any:
    """One option as its type wants it; a text is a number or a truth when it reads like one."""
    if name not in Options.__struct_fields__:
        raise options.unknown_option(name, Options.__struct_fields__)
    wanted = _TYPES[name]
    if get_origin(wanted) is Literal:
        if value not in get_args(wanted):
            raise not_among(name, get_args(wanted))
        return value
    if name == "structure" and value not in PRESETS:
        raise not_among(name, list(PRESETS))
    if get_origin(wanted) is tuple:
        return _several(name, value)
    if wanted is bool and isinstance(value, str):
        if value not in (TRUE, FALSE):
            raise options.not_a_truth(name)
        value = value == TRUE
    if wanted is int:
        try:
            value = msgspec.convert(value, int, strict=False)
        except msgspec.ValidationError:
            raise options.not_a_number(name) from None
    if name in options.OFFERED and name != "structure":
        return options.read({name: value})[name]
    return _in_range(name, value) if wanted is int else value


def _in_range(name: str, value: int) -> int:
    """A number that only the simulation has, from 0 to its largest."""
    if value < 0:
        raise options.below_nothing(name)
    if value > MOST.get(name, value):
        raise options.above(name, MOST[name])
    return value


def _several(name: str, words: str) -> tuple[str, ...]:
    """Words apart by commas, each of those the option takes."""
    (taken, _more) = get_args(_TYPES[name])
    chosen = tuple(word for word in words.split(",") if word)
    if not set(chosen) <= set(get_args(taken)):
        raise not_among(name, get_args(taken))
    return chosen


def _row(played: Options) -> Tournament:
    """The tournament the room would offer, unsaved; a scheduled one starts tomorrow."""
    said = {name: getattr(played, name) for name in Options.__struct_fields__}
    least, most = field_size(played)
    return Tournament(
        **{name: value for name, value in said.items() if name in options.OFFERED}
        | {
            "name": "simulated",
            "structure_name": played.structure,
            "deal_kinds": list(played.deal_kinds),
            "structure": encoded(played.levels()),
            "players_min": least,
            "players_max": most,
            "starts_at": timezone.now() + timedelta(days=1)
            if played.start == Start.SCHEDULED
            else None,
        }
    )
