"""The list of clubs, and the form of a club's profile."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from accounts.clubs import profiles
from accounts.models import Club, JoinRequest, Membership, User
from accounts.pages.clubs.access import club_page, manager, refuse, user_of
from accounts.pages.clubs.forms import ClubForm
from config import limits
from config.refusals import Refusal


@never_cache
@require_GET
def index(request: HttpRequest) -> HttpResponse:
    """List the visitor's clubs, then all others."""
    user = user_of(request)
    number = None if user is None else user.pk
    joined = Membership.objects.filter(user=number).values("club")
    # Counted for the clubs of this page: a join would count the members of all clubs.
    members = Membership.objects.filter(club=OuterRef("pk")).order_by().values("club")
    count = Subquery(members.annotate(count=Count("pk")).values("count"))
    clubs = profiles.visible_clubs(user).order_by("name")
    counted = clubs.annotate(members=Coalesce(count, 0))
    asked = JoinRequest.objects.filter(user=number, state=JoinRequest.State.OPEN)
    others = Paginator(counted.exclude(pk__in=joined), limits.CLUB_ROWS_PER_PAGE)
    context = {
        "page": "clubs",
        "own": counted.filter(pk__in=joined),
        "others": others.get_page(request.GET.get("page")),
        "asked": set(asked.values_list("club", flat=True)),
    }
    return render(request, "clubs/index.html", context)


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Show the form of a new club (GET), then make it (POST)."""
    assert isinstance(request.user, User)
    form = ClubForm(request.POST or None, initial=ClubForm.beginning(), label_suffix="")
    if request.method == "POST" and form.is_valid():
        try:
            club = profiles.make_club(request.user, form.profile())
        except Refusal as refusal:
            refuse(form, refusal)
        else:
            messages.success(request, _("%(name)s was made.") % {"name": club.name})
            return redirect("club", club.slug)
    return render(request, "clubs/new.html", {"page": "clubs", "form": form})


@manager
@require_http_methods(["GET", "POST"])
def edit(request: HttpRequest, club: Club, user: User) -> HttpResponse:
    """Show the club's profile (GET), then change it (POST)."""
    form = ClubForm(request.POST or None, initial=ClubForm.beginning(club), label_suffix="")
    if request.method == "POST" and form.is_valid():
        try:
            profiles.change_profile(club, user, form.profile())
        except Refusal as refusal:
            refuse(form, refusal)
        else:
            messages.success(request, _("The profile is changed."))
            return redirect("club", club.slug)
    return club_page(request, "clubs/edit.html", club, form=form)
