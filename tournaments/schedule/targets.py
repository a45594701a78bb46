"""Where a satellite leads: its target, or the first after it in its series or template (K-08)."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from tournaments.models import Template, Tournament
from tournaments.models.formats import Format
from tournaments.models.prizes import Methods
from tournaments.refusals import BadOffer
from tournaments.schedule import contradictions


def aim(tournament: Tournament) -> bool:
    """Lead a satellite to its target, or to the first after it that it may lead to.

    False when there is none yet; then it leads to the last one. The caller saves the row.
    """
    if tournament.format != Format.SATELLITE or tournament.target_id is None:
        return True
    first = Tournament.objects.get(pk=tournament.target_id)
    for found in _line(first, but=tournament.template_id):
        tournament.target = found
        try:
            contradictions.check_target(tournament)
        except BadOffer:
            continue
        return True
    return False


def is_awaited(satellite: Tournament) -> bool:
    """Whether one after its target, to which it may lead, is still to be made."""
    target = satellite.target
    if target is None or not target.price or target.methods == Methods.MONEY:
        return False
    if target.repeats and target.state in contradictions.OPEN:
        return True
    if target.template is None or target.template_id == satellite.template_id:
        return False
    return target.template.is_active and target.template.schedule != Template.Schedule.NONE


def check(satellite: Tournament) -> None:
    """Refuse one that leads nowhere, now or later; raises BadOffer. The row is aimed."""
    if aim(satellite) or not is_awaited(satellite):
        contradictions.check_target(satellite)


def need(satellite: Tournament) -> Tournament | None:
    """Where it leads now; raises BadOffer, which says whether one is awaited. The row is aimed."""
    if aim(satellite):
        return satellite.target
    assert satellite.target is not None, "what has no target need not be aimed"
    last = {"name": satellite.target.name, "number": satellite.target.pk}
    if is_awaited(satellite):
        hint = _("%(name)s (%(number)s) has no later one yet: it is tried again until there is.")
    else:
        hint = _("%(name)s (%(number)s) is the last of its series: choose another target.")
    try:
        contradictions.check_target(satellite)
    except BadOffer as refusal:
        raise BadOffer(f"{refusal.message} {hint % last}", field="target") from refusal
    return satellite.target


def ahead(target: Tournament, *, but: int | None) -> Tournament:
    """The target, or the first after it that has not started; the last one when all have.

    Nothing made from the template `but`, which is the satellite's own.
    """
    last = target
    for found in _line(target, but=but):
        last = found
        if found.state in contradictions.OPEN:
            break
    return last


def _line(target: Tournament, *, but: int | None) -> Iterator[Tournament]:
    """The target, those after it in its series, then the later ones of its template."""
    following: Tournament | None = target
    while following is not None:
        yield following
        following = Tournament.objects.filter(follows=following).first()
    # What is made from its own template is a satellite like it, not its target.
    if target.template_id is not None and target.template_id != but:
        later = Tournament.objects.filter(template=target.template_id, pk__gt=target.pk)
        yield from later.filter(state__in=contradictions.OPEN).order_by("starts_at", "pk")
