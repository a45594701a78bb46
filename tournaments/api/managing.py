"""Routes that make and run tournaments, by the rights and services of the cockpit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Router, Schema, Status

from tournaments import club_people
from tournaments.admin.steps import STEPS
from tournaments.api.access import ScopedBearer
from tournaments.api.bodies.answers import (
    ClubTemplateAnswer,
    ClubTemplatePage,
    OneTournamentAnswer,
    TemplateAnswer,
    TemplatePage,
    TournamentAnswer,
    one_tournament_answer,
    tournament_answer,
)
from tournaments.api.bodies.wishes import NewTournamentRequest, Step, StepRequest
from tournaments.api.callers import caller, listed
from tournaments.api.cursors import page_of
from tournaments.api.once import CHOSEN_KEY_PARAMETER, KEY_PARAMETER, once, once_if_named
from tournaments.api.problems import MissingPermission
from tournaments.entries import audiences
from tournaments.models import Template, Tournament
from tournaments.pages.organisers import MAKE, RUN, has_right
from tournaments.running import club_templates, operations, series
from tournaments.schedule import making

router = Router()

MANAGE = ScopedBearer("manage:tournaments")

_OPERATIONS: dict[Step, Callable[..., Tournament]] = {
    "open": operations.open,
    "start": operations.start,
    "pause": operations.pause,
    "resume": operations.resume,
    "next_level": operations.next_level,
    "more_time": operations.more_time,
    "cancel": operations.cancel,
    "cancel_forward": operations.cancel_forward,
}
assert set(_OPERATIONS) == set(STEPS), "programs take the steps of the cockpit"


@router.get("/templates", auth=MANAGE, response=TemplatePage, url_name="api_templates")
def templates(request: HttpRequest, cursor: str = "") -> TemplatePage:
    """List the room's templates, for staff who may make tournaments."""
    _need(has_right(caller(request), MAKE))
    rows, following = page_of(Template.objects.select_related("structure"), cursor, "templates")
    items = [
        TemplateAnswer(
            id=row.pk, name=row.name, structure=row.structure.name, schedule=row.schedule
        )
        for row in rows
    ]
    return TemplatePage(items=items, next=following)


@router.post(
    "/templates/{int:pk}/tournaments",
    auth=MANAGE,
    response={201: TournamentAnswer},
    url_name="api_from_template",
    openapi_extra=KEY_PARAMETER,
)
def create(request: HttpRequest, pk: int, wish: NewTournamentRequest) -> Status[dict[str, Any]]:
    """Make an announced tournament from a template, for staff who may make tournaments.

    Repeated under its key the request makes no second one.
    """
    user = caller(request)
    _need(has_right(user, MAKE))
    template = get_object_or_404(Template.objects.select_related("structure"), pk=pk)

    def make() -> TournamentAnswer:
        made = series.create(template, actor=user, reason=wish.reason, **wish.options())
        return tournament_answer(made)

    return Status(201, once(request, user, make))


@router.get(
    "/club-templates", auth=MANAGE, response=ClubTemplatePage, url_name="api_club_templates"
)
def templates_of_clubs(request: HttpRequest, cursor: str = "") -> ClubTemplatePage:
    """List the templates of the clubs that the user manages."""
    rows = club_templates.managed_templates(caller(request))
    found, following = page_of(rows, cursor, "club-templates")
    items = [
        ClubTemplateAnswer(
            id=row.pk,
            name=row.name,
            club=row.club_id,
            club_name=row.club.name,
            tournament=row.tournament_id,
        )
        for row in found
    ]
    return ClubTemplatePage(items=items, next=following)


@router.post(
    "/club-templates/{int:pk}/tournaments",
    auth=MANAGE,
    response={201: TournamentAnswer},
    url_name="api_from_club_template",
    openapi_extra=KEY_PARAMETER,
)
def create_for_club(
    request: HttpRequest, pk: int, wish: NewTournamentRequest
) -> Status[dict[str, Any]]:
    """Make an announced tournament from a template of a club, for its managers.

    Repeated under its key the request makes no second one.
    """
    user = caller(request)
    template = get_object_or_404(club_templates.managed_templates(user), pk=pk)

    def make() -> TournamentAnswer:
        made = club_templates.create(template, actor=user, reason=wish.reason, **wish.options())
        return tournament_answer(made)

    return Status(201, once(request, user, make))


@router.post(
    "/tournaments/{int:pk}/copies",
    auth=MANAGE,
    response={201: TournamentAnswer},
    url_name="api_copies",
    openapi_extra=KEY_PARAMETER,
)
def copy(request: HttpRequest, pk: int, wish: NewTournamentRequest) -> Status[dict[str, Any]]:
    """Make an announced tournament like an earlier one; managers alone repeat those of a club.

    Repeated under its key the request makes no second one.
    """
    user = caller(request)
    like = listed(request, pk)
    # A club's tournament may cost the club's money, so that only its managers make one.
    is_ours = like.club_id is None
    _need(has_right(user, MAKE) if is_ours else user.pk in club_people.managers(like, [user.pk]))

    def make() -> TournamentAnswer:
        made = making.create_like(like, actor=user, reason=wish.reason, **wish.options())
        return tournament_answer(made)

    return Status(201, once(request, user, make))


@router.post(
    "/tournaments/{int:pk}/steps",
    auth=MANAGE,
    response=OneTournamentAnswer,
    url_name="api_steps",
    openapi_extra=CHOSEN_KEY_PARAMETER,
)
def step(request: HttpRequest, pk: int, wish: StepRequest) -> Schema | dict[str, Any]:
    """Take a step with its reason, as the cockpit does; a step that was taken changes nothing.

    One that sets the level clock is taken again, but for a request with the key of the first; it
    is refused where another level or break is in play than the `item` it names.
    """
    user = caller(request)
    tournament = listed(request, pk)
    _need(audiences.may_manage(user, tournament, RUN))

    def act() -> OneTournamentAnswer:
        after = _OPERATIONS[wish.step](tournament.pk, actor=user, reason=wish.reason, **wish.seen())
        return one_tournament_answer(after)

    return once_if_named(request, user, act)


def _need(allowed: bool) -> None:
    """Raise MissingPermission unless allowed."""
    if not allowed:
        raise MissingPermission
