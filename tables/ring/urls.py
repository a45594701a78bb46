"""URLs of ring games; `ring` is also the name of the director."""

from __future__ import annotations

from django.urls import path

from tables.ring.pages import game, history, jackpots, lobby, session, sitting

urlpatterns = [
    path("ring/", lobby.lobby, name="ring_lobby"),
    path("ring/rows.json", lobby.rows, name="ring_rows"),
    path("ring/in-play/", lobby.in_play, name="ring_in_play"),
    path("ring/mine/", history.page, name="ring_history"),
    path("ring/mine.csv", history.file, name="ring_history_csv"),
    path("ring/jackpots/", jackpots.jackpots, name="ring_jackpots"),
    path("ring/<int:game>/", game.game, name="ring"),
    path("ring/<int:game>/sit", sitting.sit, name="ring_sit"),
    path("ring/<int:game>/wait", sitting.wait, name="ring_wait"),
    path("ring/offers/<int:offer>/take", sitting.take, name="ring_take"),
    path("ring/sessions/<int:session>/<str:action>", session.act, name="ring_session"),
    path("ring/tables/<int:table>/panel/", session.panel, name="ring_panel"),
]
