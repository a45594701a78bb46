"""Make, change and delete seasons; the table follows at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from django.contrib.admin.models import ADDITION, CHANGE, DELETION, LogEntry
from django.db import connection, transaction

from accounts.clubs.steps import club_step
from accounts.models import Club, User
from config import limits
from config.inputs.readable import is_readable_line, normal_text
from config.refusals import marked as _
from config.time_zones import zone_names
from tournaments.seasons.access import may_manage
from tournaments.seasons.engine.formulas import validate_formula
from tournaments.seasons.models import Season
from tournaments.seasons.refusals import NotSeasonOrganiser, SeasonRefused, TooManySeasons

LOCK = (7_011_005, 0)
"""Keys of the advisory lock of changes of the room's seasons, which are counted."""


@dataclass(frozen=True, slots=True)
class SeasonTerms:
    """Terms of a season as a manager types them; days are those of the zone."""

    name: str
    first_day: date
    last_day: date
    formula: str
    zone: str = "UTC"
    series: str = ""
    best_of: int = 0
    ties: tuple[str, ...] = ("wins", "countback")
    audience: str = "everybody"


def make_season(actor: User, club: Club | None, terms: SeasonTerms) -> Season:
    """Make a season of a club by a manager, or of the room (None) by an organiser.

    Raises NotForRole, NotSeasonOrganiser, SeasonRefused, BadFormula or TooManySeasons.
    """
    values = validated_terms(terms, club)
    with _step(actor, club, "season_make", terms):
        if Season.objects.filter(club=club).count() >= limits.SEASONS_PER_CLUB_MAX:
            raise TooManySeasons(limits.SEASONS_PER_CLUB_MAX)
        season = Season.objects.create(club=club, made_by=actor, **values)
        _record(actor, season, ADDITION, terms)
    return season


def change_season(actor: User, season: Season, terms: SeasonTerms) -> Season:
    """Change a season's terms; raises as `make_season`, and DoesNotExist if it is deleted."""
    values = validated_terms(terms, season.club)
    with _step(actor, season.club, "season_change", terms):
        row = Season.objects.select_for_update().get(pk=season.pk)
        for name, value in values.items():
            setattr(row, name, value)
        row.save()
        _record(actor, row, CHANGE, terms)
    return row


def delete_season(actor: User, season: Season) -> None:
    """Delete a season; its tournaments and their results stay. Raises as `make_season`."""
    with _step(actor, season.club, "season_delete", terms_of(season)):
        if Season.objects.filter(pk=season.pk).delete()[0]:
            _record(actor, season, DELETION, terms_of(season))


def terms_of(season: Season) -> SeasonTerms:
    """Return the terms of a stored season."""
    values = {name: getattr(season, name) for name in SeasonTerms.__dataclass_fields__}
    return SeasonTerms(**(values | {"ties": tuple(season.ties)}))


def validated_terms(terms: SeasonTerms, club: Club | None) -> dict[str, Any]:
    """Return the columns of valid terms; raises SeasonRefused or BadFormula for the first wrong."""
    name = normal_text(terms.name)
    most = limits.SEASON_NAME_MAX_CHARACTERS
    if not 1 <= len(name) <= most or not is_readable_line(name):
        raise SeasonRefused(
            _("A season's name has 1 to %(most)s characters in one row."), field="name", most=most
        )
    if not is_readable_line(terms.series) or len(terms.series) > 80:
        raise SeasonRefused(
            _("A series is named by at most %(most)s signs that can be shown."),
            field="series",
            most=80,
        )
    _refuse_days(terms)
    if not 0 <= terms.best_of <= limits.SEASON_BEST_OF_MAX:
        raise SeasonRefused(
            _("At most %(most)s results count; 0 counts all."),
            field="best_of",
            most=limits.SEASON_BEST_OF_MAX,
        )
    if len(set(terms.ties)) < len(terms.ties) or not set(terms.ties) <= set(Season.Tie.values):
        raise SeasonRefused(
            _("Rules between equal players are, once each: %(known)s."),
            field="ties",
            known=list(Season.Tie.values),
        )
    if terms.audience not in Season.SeasonAudience.values or (
        club is None and terms.audience != Season.SeasonAudience.EVERYBODY
    ):
        raise SeasonRefused(_("Everybody sees a season of the room."), field="audience")
    validate_formula(terms.formula)
    tidy = {"name": name, "series": terms.series.strip(), "formula": terms.formula.strip()}
    return asdict(terms) | tidy | {"ties": list(terms.ties)}


def _refuse_days(terms: SeasonTerms) -> None:
    if terms.zone not in zone_names():
        raise SeasonRefused(_("The days of a season need a known time zone."), field="zone")
    days = (terms.last_day - terms.first_day).days + 1
    if not 1 <= days <= limits.SEASON_DAYS_MAX or not 1970 < terms.first_day.year < 9000:
        raise SeasonRefused(
            _("The last day is the first one or later, at most %(most)s days."),
            field="last_day",
            most=limits.SEASON_DAYS_MAX,
        )


def _record(actor: User, season: Season, kind: int, terms: SeasonTerms) -> None:
    """Keep who changed a season of the room, in the log of the admin; a club has its own record."""
    if season.club_id is not None:
        return
    words = f"{terms.first_day}-{terms.last_day}, best of {terms.best_of}: {terms.formula}"
    LogEntry.objects.log_actions(actor.pk, [season], kind, words, single_object=True)


@contextmanager
def _step(actor: User, club: Club | None, action: str, terms: SeasonTerms) -> Iterator[None]:
    """Open the transaction of a change by an allowed actor, with its audit row in a club."""
    if club is None:
        if not may_manage(actor, None):
            raise NotSeasonOrganiser
        with transaction.atomic():
            # A club's steps wait for its row; those of the room, which has none, for this lock.
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", LOCK)
            yield
        return
    with club_step(club, actor) as step:
        step.need_manager()
        yield
        step.record(action, name=terms.name, formula=terms.formula, best_of=terms.best_of)
