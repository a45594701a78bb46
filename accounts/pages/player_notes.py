"""Pages of the own notes on players: the list, one note; and the notes as JSON for the table."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.models import User
from accounts.player_notes import notes
from accounts.player_notes.models import NoteColour, PlayerNote
from accounts.player_notes.refusals import NoteRefusal
from accounts.refusals import words_of
from config import limits


class NoteForm(forms.Form):
    """Form of a note's text and colour; the rules of notes check them."""

    colour = forms.ChoiceField(label=_("Colour"), choices=NoteColour.choices, required=False)
    text = forms.CharField(
        label=_("Note"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 5, "maxlength": limits.NOTE_MAX_CHARACTERS}),
        help_text=_("Only you read it. An empty note without a colour is deleted."),
    )


@login_required
@never_cache
@require_GET
def own(request: HttpRequest) -> HttpResponse:
    """List the own notes on players, by name."""
    assert request.user.is_authenticated
    rows = Paginator(notes.notes_of(request.user), limits.NOTES_PER_PAGE)
    page = rows.get_page(request.GET.get("page"))
    return render(request, "accounts/player_notes.html", {"page_of": page})


@login_required
@never_cache
@require_GET
def for_tables(request: HttpRequest) -> HttpResponse:
    """Return all own notes as JSON: the table shows those of its players."""
    assert request.user.is_authenticated
    rows = [_told(note.about_id, note) for note in notes.notes_of(request.user)]
    return JsonResponse({"notes": rows})


@login_required
@never_cache
@require_POST
def from_table(request: HttpRequest, pk: int) -> JsonResponse:
    """Write the own note on the player `?name=` for the table, and return it as JSON."""
    assert request.user.is_authenticated
    about = _subject(request, request.user, pk)
    try:
        kept = notes.write_note(request.user, about, **_given(request))
    except NoteRefusal as refusal:
        told = {"code": refusal.code, "message": words_of(refusal)}
        return JsonResponse(told, status=400)
    return JsonResponse(_told(pk, kept))


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def note(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the own note on a player (GET) or write it (POST); `?name=` is the player's.

    The page is missing for a player without a note whose name the reader does not know.
    """
    assert request.user.is_authenticated
    about = _subject(request, request.user, pk)
    if request.method == "POST":
        return _written(request, request.user, about)
    kept = notes.note_on(request.user, pk)
    initial = {"text": kept.text, "colour": kept.colour} if kept else {}
    return _page(request, about, NoteForm(initial=initial))


def _subject(request: HttpRequest, owner: User, pk: int) -> User:
    about = notes.subject_of(owner, pk, request.GET.get("name", ""))
    if about is None:
        raise Http404
    return about


def _written(request: HttpRequest, owner: User, about: User) -> HttpResponse:
    form = NoteForm(request.POST)
    try:
        kept = notes.write_note(owner, about, **_given(request))
    except NoteRefusal as refusal:
        if not form.errors:
            form.add_error(refusal.field or None, words_of(refusal))
        return _page(request, about, form, status=400)
    messages.success(
        request, gettext("The note is saved.") if kept else gettext("No note is kept.")
    )
    return redirect("player_notes")


def _given(request: HttpRequest) -> dict[str, str]:
    return {name: request.POST.get(name, "") for name in NoteForm.base_fields}


def _page(request: HttpRequest, about: User, form: NoteForm, status: int = 200) -> HttpResponse:
    context = {"about": about, "form": form}
    return render(request, "accounts/player_note.html", context, status=status)


def _told(user: int, kept: PlayerNote | None) -> dict[str, Any]:
    return {
        "user": user,
        "text": kept.text if kept else "",
        "colour": kept.colour if kept else "",
    }
