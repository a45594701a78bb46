"""Addresses of the lobby and of tournaments; `tournament` is named after the director."""

from __future__ import annotations

from django.urls import path

from tournaments import deal_views, end_views, ticket_views, views, views_buying, views_seat
from tournaments.admin import rulings
from tournaments.pages import cockpit, offering, seating, where
from tournaments.pages.organisers import RULE, RUN, TELL, organiser

urlpatterns = [
    path("", views.lobby, name="lobby"),
    path("seat/", views_seat.take_seat, name="take_seat"),
    path("organise/", cockpit.index, name="organise"),
    path("organise/<int:pk>/", cockpit.cockpit, name="cockpit"),
    path("organise/<int:pk>/step/<str:name>/", cockpit.step, name="cockpit_step"),
    path(
        "organise/<int:tournament_id>/message/",
        organiser(TELL)(rulings.message),
        name="cockpit_message",
    ),
    path(
        "organise/<int:tournament_id>/feature/",
        organiser(RUN)(rulings.feature),
        name="cockpit_feature",
    ),
    path("organise/<int:pk>/seat/", seating.seat, name="cockpit_seat"),
    path("organise/entry/<int:entry_id>/move/", organiser(RULE)(rulings.move), name="cockpit_move"),
    path(
        "organise/entry/<int:entry_id>/disqualify/",
        organiser(RULE)(rulings.disqualify),
        name="cockpit_disqualify",
    ),
    path("organise/new/", offering.new, name="organise_new"),
    path("organise/preview/", offering.preview, name="organise_preview"),
    path("players/", where.where, name="where"),
    path("tickets/", ticket_views.index, name="tickets"),
    path("tickets/<int:pk>/exchange/", ticket_views.exchange, name="exchange_ticket"),
    path("tournaments/<int:pk>/", views.tournament, name="tournament"),
    path("tournaments/<int:pk>/row/", views.row, name="row"),
    path("tournaments/<int:pk>/seat/", views.seat, name="seat"),
    path("tournaments/<int:pk>/clock/", views.clock, name="clock"),
    path("tournaments/<int:pk>/results.csv", views.results, name="results"),
    path("tournaments/<int:pk>/watch/", views.watch, name="watch"),
    path("tournaments/<int:pk>/password/", views.unlock, name="unlock"),
    path("tournaments/<int:pk>/register/", views.register, name="register"),
    path("offers/<int:pk>/", views_buying.answer, name="answer_offer"),
    path("tournaments/<int:pk>/rebuy/", views_buying.rebuy, name="rebuy"),
    path("tournaments/<int:pk>/deal/", deal_views.panel, name="deal"),
    path("tournaments/<int:pk>/deal/propose/", deal_views.propose, name="deal_propose"),
    path("tournaments/<int:pk>/deal/<int:deal>/vote/", deal_views.vote, name="deal_vote"),
    path("tournaments/<int:pk>/end/", end_views.panel, name="end"),
    path("tournaments/<int:pk>/leave/", views.leave, name="leave"),
    path("tournaments/<int:pk>/unregister/", views.unregister, name="unregister"),
]
