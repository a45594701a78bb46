"""Page of notifications: the ways of each kind, quiet hours, and the devices that get pushes."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.logins import devices
from accounts.mail import outgoing
from accounts.models import User
from accounts.notifications import endpoints, preferences, raising, room_key
from accounts.notifications.kinds import registered
from accounts.notifications.models import NotificationSettings, PushEndpoint, Way
from accounts.pages.secure_context import is_secure_context
from accounts.refusals import words_of
from config import limits
from config.refusals import Refusal
from config.time_zones import zone_names


class NotificationsForm(forms.Form):
    """Choices as "kind way", quiet hours, and their time zone."""

    choice = forms.MultipleChoiceField(required=False)
    quiet_from = forms.TimeField(
        label=_("Quiet from"), required=False, widget=forms.TimeInput({"type": "time"}, "%H:%M")
    )
    quiet_until = forms.TimeField(
        label=_("until"), required=False, widget=forms.TimeInput({"type": "time"}, "%H:%M")
    )
    time_zone = forms.ChoiceField(label=_("Time zone"))
    language = forms.ChoiceField(label=_("Language"), choices=settings.LANGUAGES)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known = [f"{kind.name} {way}" for kind in registered() for way in kind.ways]
        zones = self.fields["time_zone"]
        choice = self.fields["choice"]
        assert isinstance(zones, forms.ChoiceField) and isinstance(choice, forms.ChoiceField)
        choice.choices = [(name, name) for name in known]
        zones.choices = [(name, name.replace("_", " ")) for name in zone_names()]

    def clean(self) -> dict[str, Any]:
        """Refuse quiet hours with one end only."""
        given = super().clean() or self.cleaned_data
        ends = (given.get("quiet_from"), given.get("quiet_until"))
        if not self.errors and (ends[0] is None) != (ends[1] is None):
            missing = "quiet_from" if ends[0] is None else "quiet_until"
            self.add_error(missing, _("Quiet hours need a beginning and an end, or neither."))
        return given


class EndpointForm(forms.Form):
    """Address and keys of a browser, as a script sends them; `renews` without being asked to."""

    address = forms.CharField(max_length=limits.PUSH_ADDRESS_MAX)
    public_key = forms.CharField(max_length=100)
    secret = forms.CharField(max_length=40)
    renews = forms.BooleanField(required=False)


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def notifications(request: HttpRequest) -> HttpResponse:
    """Show the choices, and store them."""
    user = request.user
    assert user.is_authenticated
    row = preferences.settings_of(user)
    if request.method == "POST":
        form = NotificationsForm(request.POST)
        if form.is_valid():
            given = form.cleaned_data
            wanted = {_pair(text) for text in given.pop("choice")}
            preferences.save_choices(user, wanted)
            preferences.save_settings(user, **given)
            messages.success(request, gettext("Your choice is saved."))
            return redirect("notifications")
        chosen = {_pair(text) for text in request.POST.getlist("choice") if " " in text}
    else:
        form, chosen = NotificationsForm(initial=_shown(request, row)), preferences.choices_of(user)
    context = {
        "form": form,
        "kinds": _kinds(chosen),
        "is_new": not preferences.has_zone(row),
        "is_secure": is_secure_context(request),
        "room_key": room_key.public_key(),
        "devices": PushEndpoint.objects.filter(user=user).order_by("pk"),
        "mail_is_on": outgoing.is_on(),
        "address": outgoing.primary_address(user.pk),
    }
    status = 400 if form.errors else 200
    return render(request, "accounts/notifications.html", context, status=status)


@login_required
@never_cache
@require_POST
def add_device(request: HttpRequest) -> HttpResponse:
    """Store the browser that asks; answers with words when it is refused.

    A browser that renews itself is told that it was removed from the list meanwhile.
    """
    assert request.user.is_authenticated
    form = EndpointForm(request.POST)
    try:
        if not form.is_valid() or not is_secure_context(request):
            raise endpoints.EndpointRefused
        session = request.session.session_key or ""
        device = devices.device_of(request)
        renews = form.cleaned_data.pop("renews")
        keep = endpoints.renew_endpoint if renews else endpoints.add_endpoint
        row = keep(request.user, session, device, **form.cleaned_data)
        if row is None:
            return JsonResponse({"removed": True})
        # What is told comes in the language of the page, before any form of it is saved.
        preferences.keep_language(request.user, get_language() or settings.LANGUAGE_CODE)
    except Refusal as refusal:
        return JsonResponse({"code": refusal.code, "message": words_of(refusal)}, status=400)
    return JsonResponse({"device": row.pk})


@login_required
@require_POST
def forget_device(request: HttpRequest) -> HttpResponse:
    """Remove the browser that asks, by its address."""
    assert request.user.is_authenticated
    endpoints.forget_address(request.user, request.POST.get("address", ""))
    return HttpResponse(status=204)


@login_required
@require_POST
def remove_device(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove an own device; Http404 for others."""
    assert request.user.is_authenticated
    if not endpoints.remove_endpoint(request.user, pk):
        raise Http404
    messages.success(request, gettext("The device is told nothing any more."))
    return redirect("notifications")


@login_required
@require_POST
def try_devices(request: HttpRequest) -> HttpResponse:
    """Send a notification to all own devices now, quiet hours or not."""
    assert isinstance(request.user, User)
    if raising.raise_trial(request.user):
        messages.success(request, gettext("A notification is on its way to your devices."))
    else:
        messages.warning(request, gettext("Not now: wait a minute."))
    return redirect("notifications")


def _pair(text: str) -> tuple[str, str]:
    kind, _space, way = text.partition(" ")
    return kind, way


def _shown(request: HttpRequest, row: NotificationSettings) -> dict[str, object]:
    language = get_language() if row._state.adding else row.language
    return {
        "quiet_from": row.quiet_from,
        "quiet_until": row.quiet_until,
        "time_zone": row.time_zone,
        "language": language,
    }


def _kinds(chosen: set[tuple[str, str]]) -> list[dict[str, object]]:
    """Return the rows of the table of choices."""
    return [
        {
            "name": kind.name,
            "title": gettext(kind.title),
            "hint": gettext(kind.hint),
            "ways": [
                {
                    "way": way.value,
                    "label": way.label,
                    "possible": way in kind.ways,
                    "chosen": (kind.name, way.value) in chosen,
                }
                for way in Way
            ],
        }
        for kind in registered()
    ]
