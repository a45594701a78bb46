"""The members of a club: the list, and the page on which one is promoted or removed."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.db.models import Case, IntegerField, Value, When
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from accounts.clubs import members, rules
from accounts.clubs.steps import role_of
from accounts.models import Club, ClubRole, Membership, User
from accounts.pages.clubs.access import attempt, club_page, manager, member
from config import limits

_STRONGEST_FIRST = Case(
    *(When(role=role, then=Value(rank)) for rank, role in enumerate(ClubRole.values)),
    output_field=IntegerField(),
)


@member
@require_GET
def members_of(request: HttpRequest, club: Club, user: User) -> HttpResponse:
    """List the members, owners and managers first."""
    rows = club.memberships.select_related("user")
    rows = rows.order_by(_STRONGEST_FIRST, "user__name_key")
    pages = Paginator(rows, limits.CLUB_ROWS_PER_PAGE)
    return club_page(
        request, "clubs/members.html", club, members=pages.get_page(request.GET.get("page"))
    )


@manager
@require_http_methods(["GET", "POST"])
def person(request: HttpRequest, club: Club, user: User, pk: int) -> HttpResponse:
    """Show a member with the steps this manager may take (GET), then take one (POST)."""
    rows = Membership.objects.filter(club=club, user=pk)
    row = get_object_or_404(rows.select_related("user"))
    if request.method == "POST":
        _take(request, club, user, row)
        return redirect("club_members", club.slug)
    role = role_of(user, club)
    context = {
        "person": row,
        "roles": [choice for choice in ClubRole if choice != row.role]
        if rules.may_change_roles(role)
        else [],
        "may_remove": rules.may_remove(role, row.role),
    }
    return club_page(request, "clubs/person.html", club, **context)


def _take(request: HttpRequest, club: Club, user: User, row: Membership) -> None:
    """Take the step that the form names; raise Http404 for an unknown one."""
    step, name = request.POST.get("step", ""), row.user.name
    if step == "remove":
        done = _("%(name)s is no longer a member.") % {"name": name}
        attempt(request, lambda: members.remove(club, user, row.user), done)
    elif step in ClubRole.values:
        role = ClubRole(step)
        values = {"name": name, "role": role.label}
        done = _("%(name)s has a new role: %(role)s.") % values
        attempt(request, lambda: members.change_role(club, user, row.user, role), done)
    else:
        raise Http404
