"""URLs of the own dealt cards."""

from __future__ import annotations

from django.urls import path

from tables.dealt import pages

urlpatterns = [
    path("account/cards/", pages.own_cards, name="own_cards"),
    path("account/cards.csv", pages.own_cards_csv, name="own_cards_csv"),
    path("account/cards.json", pages.own_cards_json, name="own_cards_json"),
]
