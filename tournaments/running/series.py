"""Templates: tournaments made from them by hand, on a schedule, and when a Sit & Go starts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

import structlog
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from config import limits
from tournaments.models import Structure, Template, Tournament
from tournaments.models.structure import encoded
from tournaments.models.tournament import Start, State
from tournaments.refusal_words import line
from tournaments.refusals import REFUSALS, BadOffer
from tournaments.running import operations
from tournaments.schedule import making, options, targets

log = structlog.get_logger(__name__)

Schedule = Template.Schedule
TIMED = (Schedule.DAILY, Schedule.WEEKLY)
UNSAID = frozenset({"structure", "structure_name", "starts_at", "repeats", "repeat_every_s"})
"""Options that a template does not fix: its structure and schedule say them."""


def tick() -> int:
    """Open what every active template wants open by now; when to look again, in ms.

    May run anywhere, late, twice or at once: each tournament has one key that is given once.
    """
    for template in Template.objects.filter(is_active=True).exclude(schedule=Schedule.NONE):
        keep(template, timezone.now())
    return limits.SCHEDULE_TICK_MS


def keep(template: Template, now: datetime) -> list[Tournament]:
    """Open the tournaments of one template that are due; those that were made now.

    A template that cannot be played any more says why in its row; the others go on.
    """
    made: list[Tournament] = []
    try:
        _lead_on(template)
        for one in _due(template, now):
            if one is not None:
                made.append(one)
    except REFUSALS as refusal:
        log.warning("template refused", template=template.pk, why=line(refusal))
        Template.objects.filter(pk=template.pk).update(refused=line(refusal)[:300])
        return made
    if template.refused:
        Template.objects.filter(pk=template.pk).update(refused="")
    return made


def create(template: Template, *, actor: User | None = None, reason: str = "", **more: Any) -> Any:
    """An announced tournament as the template says, by hand; `more` overrules its offer.

    A satellite leads to the first of its target's own series or template that it may (K-08).
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
    """A template that says what this tournament was offered with; raises BadOffer for its name.

    What it opens is private with the same password, of which only the hash is known (T-02).
    """
    if Template.objects.filter(name=name).exists():
        raise BadOffer(_("There is a template of that name already."), field="name")
    said = {key: value for key, value in options.chosen(tournament).items() if key not in UNSAID}
    return Template.objects.create(
        name=name,
        structure=_structure_of(tournament),
        offer=said,
        password=tournament.password,
    )


def check(template: Template) -> None:
    """Refuse a template that could not open a tournament; raises a Refusal or a BadOffer."""
    wrong = sorted(UNSAID & set(template.offer)) if isinstance(template.offer, dict) else []
    if wrong:
        raise BadOffer(
            _("%(field)s is not part of a template's offer.") % {"field": wrong[0]}, field="offer"
        )
    _check_schedule(template)
    row = draft(template)
    making.check_itself(row)
    targets.check(row)


def draft(template: Template) -> Tournament:
    """The tournament a template would make next, unsaved; by hand it would start tomorrow."""
    said = _said(template)
    if said["start"] == Start.SCHEDULED:
        said["starts_at"] = _next_start(template, timezone.now())
    return making.from_structure(template.structure, **said)


def occurrences(template: Template, since: datetime, until: datetime) -> Iterator[datetime]:
    """When tournaments of a daily or weekly template start after `since`, up to `until`.

    The wall clock of the template's zone counts: an hour that the zone skips is the one after
    it, one that it has twice is the first.
    """
    assert template.at_time is not None, "a schedule has a time"
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
    """The structure a tournament was made from, as long as it has the same levels."""
    found = Structure.objects.filter(name=tournament.structure_name).first()
    same = found is not None and encoded(found.rules()) == encoded(tournament.levels())
    return found if same else None


def _next_start(template: Template, now: datetime) -> datetime:
    """When the next one of a schedule starts; tomorrow, where no schedule says it."""
    said = now + timedelta(days=1)
    if template.schedule in TIMED and template.at_time is not None:
        return next(occurrences(template, now, now + timedelta(days=8)), said)
    return said


def _lead_on(template: Template) -> None:
    """A template of satellites names the target that is ahead, and leaves behind what started."""
    target = options.read(template.offer).get("target")
    if target is None:
        return
    offer = template.offer | {"target": targets.ahead(target, but=template.pk).pk}
    # Compare and set: what an operator saves meanwhile stands.
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
    """The next Sit & Go, as soon as none of this template can be joined."""
    rows = template.tournaments.order_by("-pk")
    latest = rows.first()
    if latest is not None and latest.state in (State.ANNOUNCED, State.REGISTERING):
        return None
    return _open(template, f"after:{latest.pk if latest else 0}", None)


def _open(template: Template, occasion: str, starts_at: datetime | None) -> Tournament | None:
    """Make and open one tournament, once for its occasion; None when another worker was first."""
    key = f"template:{template.pk}:{occasion}"
    if Tournament.objects.filter(occasion=key).exists():
        return None
    reason = f"template {template.name}"
    try:
        with transaction.atomic():
            made = create(template, reason=reason, occasion=key, starts_at=starts_at)
            return operations.open(made.pk, reason=reason)
    except IntegrityError:
        if Tournament.objects.filter(occasion=key).exists():
            return None
        raise


def _said(template: Template) -> dict[str, Any]:
    """The template's offer as fields of a row; its schedule decides how it starts."""
    said = {"name": template.name, "start": Start.SIT_AND_GO} | options.read(template.offer)
    if template.schedule in TIMED:
        said["start"] = Start.SCHEDULED
    return said


def _check_schedule(template: Template) -> None:
    if template.zone not in available_timezones():
        raise BadOffer(_("There is no such time zone."), field="zone")
    if template.schedule in TIMED and template.at_time is None:
        raise BadOffer(_("A schedule needs the time of the day."), field="at_time")
    days = template.weekdays
    if not isinstance(days, list) or any(type(day) is not int or not 0 <= day < 7 for day in days):
        raise BadOffer(_("Days are numbers from 0 (Monday) to 6 (Sunday)."), field="weekdays")
    if template.schedule == Schedule.WEEKLY and not days:
        raise BadOffer(_("A weekly schedule needs a day."), field="weekdays")
    if template.schedule in TIMED and not 1 <= template.announce_h <= limits.ANNOUNCE_MAX_H:
        raise BadOffer(
            _("A tournament is announced between 1 and %(hours)s hours before it starts.")
            % {"hours": limits.ANNOUNCE_MAX_H},
            field="announce_h",
        )
    if template.schedule == Schedule.REFILL:
        start = options.read(template.offer).get("start", Start.SIT_AND_GO)
        if start != Start.SIT_AND_GO:
            raise BadOffer(_("Only a Sit & Go opens again when one starts."), field="schedule")


def _structure_of(tournament: Tournament) -> Structure:
    """The structure it was made from, else one made from its snapshot."""
    found = known_structure(tournament)
    if found is not None:
        return found
    name = f"{tournament.structure_name[:40]} ({tournament.pk})"
    items, stack = encoded(tournament.levels()), tournament.starting_stack
    made, _created = Structure.objects.get_or_create(
        name=name, defaults={"items": items, "starting_stack": stack}
    )
    return made
