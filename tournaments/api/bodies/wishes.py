"""Bodies of requests that make and run tournaments; unknown fields are refused."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal, Self

from ninja import Field, Schema
from pydantic import AfterValidator, AwareDatetime, ConfigDict, StringConstraints, model_validator

from config import limits
from config.inputs.readable import is_readable
from tournaments.admin.steps import CLOCK_STEPS

NAME_MAX_CHARACTERS = 80
REASON_MAX_CHARACTERS = 300

Step = Literal[
    "open", "start", "pause", "resume", "next_level", "more_time", "cancel", "cancel_forward"
]


def _storable(moment: datetime) -> datetime:
    """Return the moment in UTC; raises ValueError outside the calendar of the room."""
    if not 1_970 < moment.year < limits.YEAR_MAX:
        raise ValueError("the year is out of range")
    return moment.astimezone(UTC)


def _written(most: int, least: int = 1) -> StringConstraints:
    """Return the form of a text: PostgreSQL stores no NUL."""
    return StringConstraints(
        strip_whitespace=True, min_length=least, max_length=most, pattern=r"^[^\x00]*$"
    )


def _readable(text: str) -> str:
    """Return the text; raises ValueError for control, direction or invisible signs."""
    if not is_readable(text):
        raise ValueError("the text has signs that cannot be shown")
    return text


Reason = Annotated[str, _written(REASON_MAX_CHARACTERS), AfterValidator(_readable)]
Moment = Annotated[AwareDatetime, AfterValidator(_storable)]


class NewTournamentRequest(Schema):
    """Options of one new tournament; an empty name is that of its source."""

    model_config = ConfigDict(extra="forbid")

    name: Annotated[str, _written(NAME_MAX_CHARACTERS, 0)] = ""
    starts_at: Moment | None = None
    reason: Reason

    def options(self) -> dict[str, Any]:
        """Return the options that the body names."""
        given = {"name": self.name} if self.name else {}
        return given | {"starts_at": self.starts_at}


class StepRequest(Schema):
    """A step in the life of a tournament, with its reason for the record.

    `item` is for the steps of the level clock alone: the level or break that was seen in play.
    """

    model_config = ConfigDict(extra="forbid")

    step: Step
    reason: Reason
    item: Annotated[int, Field(ge=0, le=limits.KEY_MAX)] | None = None

    @model_validator(mode="after")
    def _item_of_clock(self) -> Self:
        """Refuse an item where no level clock is set."""
        if self.item is not None and self.step not in CLOCK_STEPS:
            raise ValueError("only steps of the level clock take an item")
        return self

    def seen(self) -> dict[str, int]:
        """Return the item that the body names, as a step of the level clock takes it."""
        return {} if self.item is None else {"item": self.item}
