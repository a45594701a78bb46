"""Templates of a club: keep the options of its tournament, use them again, delete them."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from accounts.clubs import rules
from accounts.clubs.profiles import checked_text
from accounts.clubs.steps import STAFF_RIGHT, club_step
from accounts.models import Club, ClubRole, User
from config import limits
from config.refusals import marked as _
from tournaments.models import ClubTemplate, Tournament
from tournaments.models.club_template import NAME_MAX_CHARACTERS
from tournaments.refusals import BadSpec, NoSuchTemplate, TemplateNameUsed, TooManyTemplates
from tournaments.schedule import making


def managed_templates(user: User) -> QuerySet[ClubTemplate]:
    """Return the templates of the clubs that a user manages, by role or by the staff right."""
    rows = ClubTemplate.objects.select_related("club", "tournament")
    if user.is_active and user.is_staff and user.has_perm(STAFF_RIGHT):
        return rows
    roles = [role for role in ClubRole if rules.may_manage(role)]
    return rows.filter(club__in=user.memberships.filter(role__in=roles).values("club"))


def keep(club: Club, actor: User, tournament: int, name: str) -> ClubTemplate:
    """Keep a tournament of the club as a template by a manager.

    Raises NotForRole, NoSuchTemplate for a tournament of another club, TooManyTemplates, or
    BadSpec for a name that is used or cannot be shown.
    """
    shown = " ".join(checked_text(name, "name", NAME_MAX_CHARACTERS).split())
    if not shown:
        raise BadSpec(_("A template has a name."), field="name")
    with club_step(club, actor) as step:
        step.need_manager()
        row = Tournament.objects.filter(pk=tournament, club=step.club).first()
        if row is None:
            raise NoSuchTemplate
        templates = ClubTemplate.objects.filter(club=step.club)
        if templates.filter(name=shown).exists():
            raise TemplateNameUsed
        if templates.count() >= limits.CLUB_TEMPLATES_MAX:
            raise TooManyTemplates(most=limits.CLUB_TEMPLATES_MAX)
        made = ClubTemplate.objects.create(
            club=step.club, name=shown, tournament=row, made_by=actor
        )
        step.record("template", None, template=made.pk, name=shown, tournament=row.pk)
    return made


def delete(club: Club, actor: User, template: int) -> None:
    """Delete a template of the club by a manager; tournaments made from it stay.

    Raises NotForRole or NoSuchTemplate.
    """
    with club_step(club, actor) as step:
        step.need_manager()
        row = ClubTemplate.objects.filter(pk=template, club=step.club).first()
        if row is None:
            raise NoSuchTemplate
        step.record("template_off", None, template=row.pk, name=row.name)
        row.delete()


def create(template: ClubTemplate, *, actor: User, reason: str = "", **more: Any) -> Tournament:
    """Create an announced tournament of the club from its template; `more` overrides options.

    Raises NotForRole, RuleRefusal or BadSpec.
    """
    with club_step(template.club, actor) as step:
        step.need_manager()
        options = {"name": template.name} | more
        return making.create_like(template.tournament, actor=actor, reason=reason, **options)
