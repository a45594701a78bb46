"""Targets of satellites: the target itself, or its successor in a series or template (K-08)."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from accounts.refusals import words_of
from tournaments.models import Template, Tournament
from tournaments.models.options.prizes import Methods
from tournaments.refusals import BadSpec
from tournaments.schedule import target_checks


def aim(tournament: Tournament) -> bool:
    """Point a satellite at its target or the first eligible successor; return whether there is one.

    Without one it points at the last candidate; nothing is saved.
    """
    if not tournament.format_rules.pays_tickets or tournament.target_id is None:
        return True
    first = Tournament.objects.get(pk=tournament.target_id)
    for candidate in _line(first, but=tournament.template_id):
        tournament.target = candidate
        try:
            target_checks.check_target(tournament)
        except BadSpec:
            continue
        return True
    return False


def is_awaited(satellite: Tournament) -> bool:
    """Return whether an eligible successor of the target will still be created."""
    target = satellite.target
    if target is None or not target.price or target.methods == Methods.MONEY:
        return False
    if target.repeats and target.state in target_checks.OPEN:
        return True
    if target.template is None or target.template_id == satellite.template_id:
        return False
    return target.template.is_active and target.template.schedule != Template.Schedule.NONE


def validate_satellite(satellite: Tournament) -> None:
    """Refuse a satellite that leads nowhere, now or later; raises BadSpec, changes its target."""
    if aim(satellite) or not is_awaited(satellite):
        target_checks.check_target(satellite)


def need(satellite: Tournament) -> Tournament | None:
    """Return a satellite's target now; raises BadSpec, which says whether a successor is awaited.

    Changes the satellite's target without saving it.
    """
    if aim(satellite):
        return satellite.target
    assert satellite.target is not None, "aiming fails only with a target"
    last = {"name": satellite.target.name, "number": satellite.target.pk}
    if is_awaited(satellite):
        hint = _("%(name)s (%(number)s) has no later one yet: it is tried again until there is.")
    else:
        hint = _("%(name)s (%(number)s) is the last of its series: choose another target.")
    try:
        target_checks.check_target(satellite)
    except BadSpec as refusal:
        raise BadSpec(f"{words_of(refusal)} {hint % last}", field="target") from refusal
    return satellite.target


def ahead(target: Tournament, *, but: int | None) -> Tournament:
    """Return the target or its first successor that has not started; the last one when all have.

    Tournaments of the template `but`, the satellite's own, are no candidates.
    """
    last = target
    for candidate in _line(target, but=but):
        last = candidate
        if candidate.state in target_checks.OPEN:
            break
    return last


def _line(target: Tournament, *, but: int | None) -> Iterator[Tournament]:
    """Yield the target, its successors in the series, then the later ones of its template."""
    following: Tournament | None = target
    while following is not None:
        yield following
        following = Tournament.objects.filter(follows=following).first()
    # Tournaments of its own template are satellites as well, never its targets.
    if target.template_id is not None and target.template_id != but:
        later = Tournament.objects.filter(template=target.template_id, pk__gt=target.pk)
        yield from later.filter(state__in=target_checks.OPEN).order_by("starts_at", "pk")
