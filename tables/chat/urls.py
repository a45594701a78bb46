"""URLs of the chat: the silences of a club."""

from __future__ import annotations

from django.urls import path

from tables.chat import pages

urlpatterns = [
    path("clubs/<slug:slug>/silences/", pages.silences, name="club_silences"),
    path("clubs/<slug:slug>/silences/<int:pk>/end/", pages.end_silence, name="club_silence_end"),
]
