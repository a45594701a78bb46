"""Ways into a club and out of it: invitation, request, leaving."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.clubs import invitations, members, requests
from accounts.clubs.refusals import AlreadyMember, NoSuchInvitation
from accounts.models import Club, User
from accounts.pages.clubs.access import attempt, club_page, logged_in, member, refuse, user_of
from accounts.pages.clubs.forms import RequestForm
from accounts.refusals import words_of
from config.refusals import Refusal


@never_cache
@require_http_methods(["GET", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Show the club of an invitation (GET), then join it (POST)."""
    user = user_of(request)
    club: Club | None = None
    wrong, status = "", 200
    try:
        link = invitations.find(token)
        club = link.club
        if request.method == "POST" and user is not None:
            invitations.join(user, token)
            messages.success(request, _("Welcome to %(name)s.") % {"name": club.name})
            return redirect("club", club.slug)
        if user is not None and club.memberships.filter(user=user).exists():
            return redirect("club", club.slug)
        invitations.validate_link(link)
    except AlreadyMember:
        return redirect("club", club.slug if club else "")
    except Refusal as refusal:
        wrong = words_of(refusal)
        status = 404 if isinstance(refusal, NoSuchInvitation) else 409
    context = {"page": "clubs", "club": club, "wrong": wrong}
    return render(request, "clubs/invitation.html", context, status=status)


@logged_in
@require_http_methods(["GET", "POST"])
def ask(request: HttpRequest, club: Club, user: User) -> HttpResponse:
    """Show the form of a request to join (GET), then send it or take it back (POST, by button)."""
    if request.method == "POST" and request.POST.get("step") == "withdraw":
        done = _("You have taken your request back.")
        attempt(request, lambda: requests.withdraw(club, user), done)
        return redirect("club", club.slug)
    form = RequestForm(request.POST if request.method == "POST" else None, label_suffix="")
    if request.method == "POST" and form.is_valid():
        try:
            requests.ask(club, user, form.cleaned_data["text"])
        except Refusal as refusal:
            refuse(form, refusal)
        else:
            messages.success(request, _("The managers of the club see your request."))
            return redirect("club", club.slug)
    return club_page(request, "clubs/ask.html", club, form=form)


@member
@require_http_methods(["GET", "POST"])
def leave(request: HttpRequest, club: Club, user: User) -> HttpResponse:
    """Show the effect of leaving (GET), then leave (POST)."""
    if request.method == "GET":
        return club_page(request, "clubs/leave.html", club)
    gone = attempt(
        request,
        lambda: members.leave(club, user),
        _("You are no longer a member of %(name)s.") % {"name": club.name},
    )
    return redirect("clubs") if gone else redirect("club", club.slug)
