"""The profile of a club: making a club, and changing its name, words and colours."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet, Value
from django.db.models.lookups import Exact
from django.urls import reverse

from accounts.clubs import rules
from accounts.clubs.refusals import ClubRefused
from accounts.clubs.steps import ClubStep, club_step, need_few_clubs
from accounts.ledger.references import Reference
from accounts.models import Club, ClubRole, Membership, User
from accounts.models.user import look_of
from config import limits
from config.inputs.readable import is_readable, normal_text
from config.refusals import marked as _


@dataclass(frozen=True, slots=True)
class ClubProfile:
    """Typed values of a club; `colour` and `second_colour` as `#1a2b3c`."""

    name: str
    description: str = ""
    colour: str = "#1f6f50"
    second_colour: str = "#e3bd67"
    takes_requests: bool = True


def make_club(actor: User, profile: ClubProfile) -> Club:
    """Make a club with `actor` as its owner; raise ClubRefused or TooManyClubs."""
    values = _validated(profile)
    with transaction.atomic():
        need_few_clubs(actor)
        _refuse_taken(values)
        try:
            with transaction.atomic():
                club = Club.objects.create(slug=values["name_key"], **values)
        except IntegrityError as error:
            raise _taken() from error
        Membership.objects.create(club=club, user=actor, role=ClubRole.OWNER)
        ClubStep(club, actor).record("make", actor, name=club.name)
    return club


def change_profile(club: Club, actor: User, profile: ClubProfile) -> Club:
    """Change a club's profile by a manager; its address stays. Raises ClubRefused or NotForRole."""
    values = _validated(profile)
    with club_step(club, actor) as step:
        step.need_manager()
        row = step.club
        if values["name"] != row.name:
            _refuse_taken(values, but=row.pk)
        changed = {name: value for name, value in values.items() if getattr(row, name) != value}
        for name, value in changed.items():
            setattr(row, name, value)
        if changed:
            try:
                with transaction.atomic():
                    row.save(update_fields=list(changed))
            except IntegrityError as error:
                raise _taken() from error
            step.record("profile", None, **changed)
    return row


def visible_clubs(user: User | None) -> QuerySet[Club]:
    """Return the clubs whose profile (name, description, colours, picture) a visitor may see.

    A profile is for everybody; what happens inside has audiences of its own.
    """
    return Club.objects.all()


def references(numbers: Collection[int]) -> dict[int, Reference]:
    """Name the clubs of bookings, with their pages."""
    rows = Club.objects.filter(pk__in=numbers).values_list("pk", "name", "slug")
    return {pk: Reference(name, reverse("club", args=[slug])) for pk, name, slug in rows}


def _validated(profile: ClubProfile) -> dict[str, Any]:
    """Return the values to store; raise ClubRefused for the first wrong one."""
    name = rules.normal_name(profile.name)
    least, most = limits.CLUB_NAME_MIN_CHARACTERS, limits.CLUB_NAME_MAX_CHARACTERS
    if not least <= len(name) <= most:
        raise ClubRefused(
            _("A club's name has %(least)s to %(most)s characters."),
            field="name",
            least=least,
            most=most,
        )
    slug = rules.slug_of(name)
    if not rules.allowed_name(name) or not slug or slug in rules.RESERVED:
        raise ClubRefused(
            _("A club's name is made of letters and digits, with blanks and few signs between."),
            field="name",
        )
    description = checked_text(profile.description, "description")
    for field in ("colour", "second_colour"):
        if not rules.allowed_colour(getattr(profile, field)):
            raise ClubRefused(_("This is no colour."), field=field)
    return {
        "name": name,
        "name_key": slug,
        "description": description,
        "colour": profile.colour,
        "second_colour": profile.second_colour,
        "takes_requests": profile.takes_requests,
    }


def checked_text(text: str, field: str, most: int = limits.CLUB_TEXT_MAX_CHARACTERS) -> str:
    """Return a free text as stored; raise ClubRefused for one too long or with hidden signs."""
    text = normal_text(text)
    if len(text) > most:
        raise ClubRefused(_("At most %(most)s characters."), field=field, most=most)
    if not is_readable(text):
        raise ClubRefused(_("This text has signs that cannot be shown."), field=field)
    return text


def _refuse_taken(values: dict[str, Any], *, but: int = 0) -> None:
    """Refuse a name whose address another club has, or had when it was made, or its look."""
    slug, others = values["name_key"], Club.objects.exclude(pk=but)
    alike = Exact(look_of(F("name")), look_of(Value(values["name"])))
    if others.filter(Q(slug=slug) | Q(name_key=slug) | alike).exists():
        raise _taken()


def _taken() -> ClubRefused:
    return ClubRefused(_("Another club has this name or one like it."), field="name")
