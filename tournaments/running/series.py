"""Templates: create tournaments by hand, on a schedule, or when the previous Sit & Go starts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import structlog
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from accounts.refusals import line_of
from config import limits
from config.refusals import Refusal
from config.refusals import marked as _
from config.time_zones import zone_names
from tournaments.models import Structure, Template, Tournament
from tournaments.models.structure import encoded
from tournaments.models.tournament import Start, State
from tournaments.refusals import BadSpec, TemplateNameUsed
from tournaments.running import operations
from tournaments.schedule import making, options, targets

log = structlog.get_logger(__name__)

Schedule = Template.Schedule
TIMED = (Schedule.DAILY, Schedule.WEEKLY)
UNSAID = frozenset({"structure", "structure_name", "starts_at", "repeats", "repeat_every_s"})
"""Options that a template never stores: its structure and schedule decide them."""


def tick() -> int:
    """Open all due tournaments of active templates; return ms to the next tick.

    Safe to run late, twice or concurrently: each tournament has a unique occasion key. A template
    whose row cannot be read (a time zone that no longer exists) is logged and passed over.
    """
    for template in Template.objects.filter(is_active=True).exclude(schedule=Schedule.NONE):
        try:
            keep(template, timezone.now())
        except Exception:
            log.exception("template failed", template=template.pk)
    return limits.SCHEDULE_TICK_MS


def keep(template: Template, now: datetime) -> list[Tournament]:
    """Open the due tournaments of one template; return those created now.

    A template that is refused stores the refusal in its row; other templates are not affected.
    """
    opened: list[Tournament] = []
    try:
        _lead_on(template)
        for tournament in _due(template, now):
            if tournament is not None:
                opened.append(tournament)
    except Refusal as refusal:
        log.warning("template refused", template=template.pk, why=line_of(refusal))
        Template.objects.filter(pk=template.pk).update(refused=line_of(refusal)[:300])
        return opened
    if template.refused:
        Template.objects.filter(pk=template.pk).update(refused="")
    return opened


def create(template: Template, *, actor: User | None = None, reason: str = "", **more: Any) -> Any:
    """Create an announced tournament from a template; `more` overrides its options.

    A satellite leads to the next eligible tournament of its target's series or template (K-08).
    """
    offer = _said(template) | more | {"template": template}
    aimed = making.from_structure(template.structure, **offer)
    return making.create_from_structure(
        template.structure,
        actor=actor,
        reason=reason,
        password_hash=template.password,
        **(offer | {"target": targets.need(aimed)}),
    )


def from_tournament(tournament: Tournament, name: str) -> Template:
    """Create a template with the options of a tournament; raises BadSpec for a used name.

    Tournaments from it are private with the same password; only the hash is known (T-02).
    """
    if tournament.club_id is not None:
        raise BadSpec(_("A club's tournament is no template of the room."))
    if Template.objects.filter(name=name).exists():
        raise TemplateNameUsed
    offer = {key: value for key, value in options.chosen(tournament).items() if key not in UNSAID}
    return Template.objects.create(
        name=name,
        structure=_structure_of(tournament),
        offer=offer,
        password=tournament.password,
    )


def validate_template(template: Template) -> None:
    """Refuse a template that cannot open a tournament; raises RuleRefusal or BadSpec."""
    wrong = sorted(UNSAID & set(template.offer)) if isinstance(template.offer, dict) else []
    if wrong:
        raise BadSpec(
            _("%(option)s is not part of a template's offer."), field="offer", option=wrong[0]
        )
    _check_schedule(template)
    row = draft(template)
    making.check_itself(row)
    targets.validate_satellite(row)


def draft(template: Template) -> Tournament:
    """Next tournament of a template, unsaved; without a schedule it starts tomorrow."""
    offer = _said(template)
    if offer["start"] == Start.SCHEDULED:
        offer["starts_at"] = _next_start(template, timezone.now())
    return making.from_structure(template.structure, **offer)


def occurrences(template: Template, since: datetime, until: datetime) -> Iterator[datetime]:
    """Start times of a daily or weekly template after `since`, up to `until`, in UTC.

    The wall clock of the template's zone counts: an hour that the zone skips becomes the hour after
    it, an hour that occurs twice is the first.
    """
    assert template.at_time is not None, "a daily or weekly template has a time of day"
    zone = ZoneInfo(template.zone)
    day = since.astimezone(zone).date()
    while True:
        wall = datetime.combine(day, template.at_time, tzinfo=zone)
        starts_at = wall.astimezone(ZoneInfo("UTC"))
        if starts_at > until:
            return
        fits = template.schedule == Schedule.DAILY or day.weekday() in template.weekdays
        if fits and starts_at > since:
            yield starts_at
        day += timedelta(days=1)


def known_structure(tournament: Tournament) -> Structure | None:
    """Return the structure a tournament was made from if its levels are unchanged, else None."""
    structure = Structure.objects.filter(name=tournament.structure_name).first()
    same = structure is not None and encoded(structure.rules()) == encoded(tournament.levels())
    return structure if same else None


def _next_start(template: Template, now: datetime) -> datetime:
    """Next start of a schedule; tomorrow for a template without one."""
    tomorrow = now + timedelta(days=1)
    if template.schedule in TIMED and template.at_time is not None:
        return next(occurrences(template, now, now + timedelta(days=8)), tomorrow)
    return tomorrow


def _lead_on(template: Template) -> None:
    """Point a template of satellites at the next target that has not started."""
    target = options.read(template.offer).get("target")
    if target is None:
        return
    offer = template.offer | {"target": targets.ahead(target, but=template.pk).pk}
    # Compare and set: an offer that an operator saved in between is not overwritten.
    rows = Template.objects.filter(pk=template.pk, offer=template.offer)
    if offer != template.offer and rows.update(offer=offer):
        template.offer = offer


def _due(template: Template, now: datetime) -> Iterator[Tournament | None]:
    if template.schedule == Schedule.REFILL:
        yield _refill(template)
        return
    until = now + timedelta(hours=template.announce_h)
    for starts_at in occurrences(template, now, until):
        yield _open(template, f"at:{starts_at.isoformat()}", starts_at)


def _refill(template: Template) -> Tournament | None:
    """Open the next Sit & Go when no earlier one of this template takes entries."""
    rows = template.tournaments.order_by("-pk")
    latest = rows.first()
    if latest is not None and latest.state in (State.ANNOUNCED, State.REGISTERING):
        return None
    return _open(template, f"after:{latest.pk if latest else 0}", None)


def _open(template: Template, occasion: str, starts_at: datetime | None) -> Tournament | None:
    """Create and open one tournament once per occasion; None when another worker was first."""
    key = f"template:{template.pk}:{occasion}"
    if Tournament.objects.filter(occasion=key).exists():
        return None
    reason = f"template {template.name}"
    try:
        with transaction.atomic():
            tournament = create(template, reason=reason, occasion=key, starts_at=starts_at)
            return operations.open(tournament.pk, reason=reason)
    except IntegrityError:
        if Tournament.objects.filter(occasion=key).exists():
            return None
        raise


def _said(template: Template) -> dict[str, Any]:
    """Options of the template as fields of a row; the schedule decides how it starts."""
    fields = {"name": template.name, "start": Start.SIT_AND_GO} | options.read(template.offer)
    if template.schedule in TIMED:
        fields["start"] = Start.SCHEDULED
    return fields


def _check_schedule(template: Template) -> None:
    if template.zone not in zone_names():
        raise BadSpec(_("There is no such time zone."), field="zone")
    if template.schedule in TIMED and template.at_time is None:
        raise BadSpec(_("A schedule needs the time of the day."), field="at_time")
    days = template.weekdays
    if not isinstance(days, list) or any(type(day) is not int or not 0 <= day < 7 for day in days):
        raise BadSpec(_("Days are numbers from 0 (Monday) to 6 (Sunday)."), field="weekdays")
    if template.schedule == Schedule.WEEKLY and not days:
        raise BadSpec(_("A weekly schedule needs a day."), field="weekdays")
    if template.schedule in TIMED and not 1 <= template.announce_h <= limits.ANNOUNCE_MAX_H:
        raise BadSpec(
            _("A tournament is announced between 1 and %(hours)s hours before it starts."),
            hours=limits.ANNOUNCE_MAX_H,
            field="announce_h",
        )
    if template.schedule == Schedule.REFILL:
        start = options.read(template.offer).get("start", Start.SIT_AND_GO)
        if start != Start.SIT_AND_GO:
            raise BadSpec(_("Only a Sit & Go opens again when one starts."), field="schedule")


def _structure_of(tournament: Tournament) -> Structure:
    """Return the tournament's structure, or create one from the levels of its row."""
    structure = known_structure(tournament)
    if structure is not None:
        return structure
    name = f"{tournament.structure_name[:40]} ({tournament.pk})"
    items, stack = encoded(tournament.levels()), tournament.starting_stack
    created, _is_new = Structure.objects.get_or_create(
        name=name, defaults={"items": items, "starting_stack": stack}
    )
    return created
