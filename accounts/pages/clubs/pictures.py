"""The picture of a club: the managers' form, and the picture itself."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET, require_http_methods

from accounts.clubs import pictures
from accounts.models import Club, User
from accounts.pages.clubs.access import attempt, club_page, manager, refuse, user_of
from accounts.pages.pictures import FOREVER_S, PictureForm, shown
from config.refusals import Refusal


@manager
@require_http_methods(["GET", "POST"])
def change(request: HttpRequest, club: Club, user: User) -> HttpResponse:
    """Show the club's picture (GET), then replace or remove it (POST, by its button)."""
    form = PictureForm(label_suffix="")
    if request.method == "POST" and request.POST.get("step") == "remove":
        done = _("The picture of the club is removed.")
        attempt(request, lambda: pictures.remove_picture(club, user), done)
        return redirect("club_picture", club.slug)
    if request.method == "POST":
        form = PictureForm(request.POST, request.FILES, label_suffix="")
        if form.is_valid():
            try:
                pictures.set_picture(club, user, form.cleaned_data["picture"].read())
            except Refusal as refusal:
                refuse(form, refusal)
            else:
                messages.success(request, _("The picture of the club is saved."))
                return redirect("club", club.slug)
    answer = club_page(request, "clubs/picture.html", club, form=form)
    answer.status_code = 400 if form.errors else 200
    return answer


@require_GET
@cache_control(public=True, max_age=FOREVER_S, immutable=True)
def picture(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Return the present picture of a club that the visitor may see, else 404."""
    return shown(pictures.picture_of(user_of(request), slug, key))
