"""The managers' page of a club: requests, invitation links and announcements."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from accounts.clubs import announcing, invitations, requests
from accounts.models import Club, User
from accounts.pages.clubs.access import attempt, club_page, manager, refuse
from accounts.pages.clubs.forms import AnnouncementForm, InvitationForm
from accounts.pages.onward import posted_from
from config.refusals import Refusal


@manager
@require_GET
def manage(request: HttpRequest, club: Club, user: User) -> HttpResponse:
    """Show open requests and links, with the forms of a new link and a new announcement."""
    return _page(request, club)


@manager
@posted_from("club_manage")
def invite(request: HttpRequest, club: Club, user: User) -> HttpResponse:
    """Make an invitation link and show it, once."""
    form = InvitationForm(request.POST, label_suffix="")
    if form.is_valid():
        try:
            _link, token = invitations.make_link(club, user, **form.cleaned_data)
        except Refusal as refusal:
            refuse(form, refusal)
        else:
            address = request.build_absolute_uri(reverse("club_join", args=[token]))
            return _page(request, club, link=address)
    return _page(request, club, invitation_form=form)


@manager
@require_POST
def revoke(request: HttpRequest, club: Club, user: User, pk: int) -> HttpResponse:
    """End an invitation link."""
    attempt(request, lambda: invitations.revoke(club, user, pk), _("The invitation is revoked."))
    return redirect("club_manage", club.slug)


@manager
@require_POST
def answer(request: HttpRequest, club: Club, user: User, pk: int) -> HttpResponse:
    """Accept or refuse a request to join."""
    said = request.POST.get("answer")
    if said not in ("accept", "refuse"):
        raise Http404
    done = _("The player is a member now.") if said == "accept" else _("The request is refused.")
    attempt(request, lambda: requests.answer(club, user, pk, accept=said == "accept"), done)
    return redirect("club_manage", club.slug)


@manager
@posted_from("club_manage")
def announce(request: HttpRequest, club: Club, user: User) -> HttpResponse:
    """Announce a text to the members."""
    form = AnnouncementForm(request.POST, label_suffix="")
    if form.is_valid():
        try:
            announcing.announce(club, user, **form.cleaned_data)
        except Refusal as refusal:
            refuse(form, refusal)
        else:
            messages.success(request, _("The members see the announcement."))
            return redirect("club", club.slug)
    return _page(request, club, announcement_form=form)


@manager
@require_POST
def withdraw(request: HttpRequest, club: Club, user: User, pk: int) -> HttpResponse:
    """Withdraw an announcement."""
    attempt(
        request, lambda: announcing.withdraw(club, user, pk), _("The announcement is withdrawn.")
    )
    return redirect("club", club.slug)


def _page(request: HttpRequest, club: Club, **more: Any) -> HttpResponse:
    context = {
        "requests": requests.open_requests(club),
        "waiting": requests.count_open(club),
        "links": invitations.open_links(club),
        "invitation_form": InvitationForm(label_suffix=""),
        "announcement_form": AnnouncementForm(label_suffix=""),
    }
    return club_page(request, "clubs/manage.html", club, **(context | more))
