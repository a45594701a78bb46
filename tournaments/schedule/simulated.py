"""Options of `manage.py simulate`, read and refused like an offer of the room."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from django.utils import timezone

from config import limits
from config.refusals import Refusal
from config.refusals import marked as _
from tournaments.choices import not_among
from tournaments.engine.presets import PRESETS
from tournaments.models import Tournament
from tournaments.models.structure import encoded
from tournaments.refusals import BadSpec
from tournaments.schedule import making, options
from tournaments.simulation.options import SimulationOptions, field_size, validate_simulation

TRUE, FALSE = "true", "false"
_TYPES = get_type_hints(SimulationOptions)
MOST = {
    "late_players": limits.ENTRIES_MAX,
    **{f"{what}_percent": 100 for what in ("buys_again", "deal", "pros", "leave")},
    **dict.fromkeys(("cancel_after_hands", "disqualify_after_hands"), limits.STACK_MAX_CHIPS),
    "level_ms": limits.LEVEL_MAX_MS,
    "think_ms": limits.ACTION_TIME_MAX_MS,
}
"""Maximum of each option that only the simulation has."""

_PLAYERS = ("players_min", "players_max")


def read(words: Sequence[str], given: dict[str, Any]) -> SimulationOptions:
    """Options from `name=value` words and other arguments, as they can be played.

    Raises a refusal in the words of the room for everything the room would refuse (T-05).
    """
    values = dict(given)
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise BadSpec(_("An option reads name=value, not %(word)s."), word=word)
        values[name] = value
    requested = SimulationOptions(**{name: _value(name, value) for name, value in values.items()})
    try:
        played = validate_simulation(requested)
        making.check_itself(_row(played))
    except Refusal as refusal:
        field = refusal.field
        named = "players" if field in _PLAYERS else field
        raise BadSpec.of(refusal, named) from refusal
    return played


def _value(name: str, value: Any) -> Any:
    """Convert one option to its type; a text is read as a number or a truth value."""
    if name not in SimulationOptions.__struct_fields__:
        raise options.unknown_option(name, SimulationOptions.__struct_fields__)
    kind = _TYPES[name]
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            raise not_among(name, get_args(kind))
        return value
    if name == "structure" and value not in PRESETS:
        raise not_among(name, list(PRESETS))
    if get_origin(kind) is tuple:
        return _several(name, value)
    if kind is bool and isinstance(value, str):
        if value not in (TRUE, FALSE):
            raise options.not_a_truth(name)
        value = value == TRUE
    if kind is int:
        try:
            value = msgspec.convert(value, int, strict=False)
        except msgspec.ValidationError:
            raise options.not_a_number(name) from None
    if name in options.OFFERED and name != "structure":
        return options.read({name: value})[name]
    return _in_range(name, value) if kind is int else value


def _in_range(name: str, value: int) -> int:
    """Return a number of the simulation alone, or refuse one below 0 or above its maximum."""
    if value < 0:
        raise options.below_nothing(name)
    if value > MOST.get(name, value):
        raise options.above(name, MOST[name])
    return value


def _several(name: str, words: str) -> tuple[str, ...]:
    """Split words at commas, and refuse those that the option does not take."""
    (taken, _more) = get_args(_TYPES[name])
    chosen = tuple(word for word in words.split(",") if word)
    if not set(chosen) <= set(get_args(taken)):
        raise not_among(name, get_args(taken))
    return chosen


def _row(played: SimulationOptions) -> Tournament:
    """Build the unsaved tournament of the options; a scheduled one starts tomorrow."""
    values = {name: getattr(played, name) for name in SimulationOptions.__struct_fields__}
    least, most = field_size(played)
    return Tournament(
        **{name: value for name, value in values.items() if name in options.OFFERED}
        | {
            "name": "simulated",
            "structure_name": played.structure,
            "deal_kinds": list(played.deal_kinds),
            "structure": encoded(played.levels()),
            "players_min": least,
            "players_max": most,
            "starts_at": timezone.now() + timedelta(days=1)
            if played.start == "scheduled"
            else None,
        }
    )
