"""URLs of ring games; `ring` and `rapid` are also the names of their directors."""

from __future__ import annotations

from django.urls import path

from tables.ring.pages import clubs, game, history, jackpots, lobby, panels, session, sitting

urlpatterns = [
    path("clubs/<slug:slug>/ring/new/", clubs.new, name="club_ring_new"),
    path("clubs/<slug:slug>/ring/<int:game>/", clubs.game, name="club_ring"),
    path("clubs/<slug:slug>/ring/<int:game>/step/<str:step>/", clubs.step, name="club_ring_step"),
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
    path("ring/tables/<int:table>/panel/", panels.of_table, name="ring_panel"),
    path("ring/pools/<int:game>/", game.pool, name="rapid"),
    path("ring/pools/<int:game>/panel/", panels.of_pool, name="rapid_panel"),
]
