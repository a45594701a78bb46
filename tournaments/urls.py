"""URLs of the lobby and tournaments; `tournament` is also the name of the director."""

from __future__ import annotations

from django.urls import path, re_path

from tournaments.admin import rulings
from tournaments.pages import (
    calendars,
    cockpit,
    deals,
    endings,
    entering,
    featured,
    guests,
    hand_bundles,
    lobby,
    offering,
    overlays,
    seat,
    seating,
    tickets,
    where,
)
from tournaments.pages.clubs import offering as club_offering
from tournaments.pages.clubs import page as club_page
from tournaments.pages.clubs import templates as club_templates
from tournaments.pages.figures import reading as figures
from tournaments.pages.ladders import reading as ladders
from tournaments.pages.organisers import RULE, RUN, TELL, organiser
from tournaments.pages.seasons import managing as seasons_managing
from tournaments.pages.seasons import reading as seasons

urlpatterns = [
    path("", lobby.lobby, name="lobby"),
    path("seat/", seat.take_seat, name="take_seat"),
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
        "organise/entry/<int:entry_id>/out/",
        organiser(RULE)(rulings.take_out),
        name="cockpit_take_out",
    ),
    path(
        "organise/entry/<int:entry_id>/disqualify/",
        organiser(RULE)(rulings.disqualify),
        name="cockpit_disqualify",
    ),
    path("organise/new/", offering.new, name="organise_new"),
    path("organise/preview/", offering.preview, name="organise_preview"),
    path("calendar.ics", calendars.room, name="calendar_room"),
    path("calendar/<str:key>.ics", calendars.own, name="calendar_own"),
    path("organise/<int:pk>/overlays/", overlays.overlay_links, name="cockpit_overlays"),
    path("organise/<int:pk>/overlays/sponsor/", overlays.sponsor, name="cockpit_sponsor"),
    path("overlay/<str:token>/", overlays.overlay, name="overlay"),
    path("organise/<int:pk>/guests/", guests.page, name="cockpit_guests"),
    path("clubs/<slug:slug>/", club_page.club, name="club"),
    path("clubs/<slug:slug>/tournaments/new/", club_offering.new, name="club_offer"),
    path(
        "clubs/<slug:slug>/tournaments/preview/", club_offering.preview, name="club_offer_preview"
    ),
    path("clubs/<slug:slug>/templates/", club_templates.templates, name="club_templates"),
    path(
        "clubs/<slug:slug>/templates/<int:pk>/delete/",
        club_templates.delete,
        name="club_template_delete",
    ),
    path("clubs/<slug:slug>/seasons/new/", seasons_managing.new_of_club, name="club_season_new"),
    path("seasons/", seasons.index, name="seasons"),
    path("seasons/new/", seasons_managing.new, name="season_new"),
    path("seasons/preview/", seasons_managing.preview, name="season_preview"),
    path("seasons/<int:pk>/", seasons.season, name="season"),
    path("seasons/<int:pk>/table.csv", seasons.as_csv, name="season_csv"),
    path("seasons/<int:pk>/panel/", seasons.panel, name="season_panel"),
    path("seasons/<int:pk>/overlay/", seasons.overlay, name="season_overlay"),
    path("seasons/<int:pk>/change/", seasons_managing.change, name="season_change"),
    path("seasons/<int:pk>/delete/", seasons_managing.delete, name="season_delete"),
    path("ladders/", ladders.index, name="ladders"),
    path("ladders/<int:pk>/", ladders.ladder, name="ladder"),
    path("ladders/<int:pk>/table.csv", ladders.table_csv, name="ladder_csv"),
    path("ladders/<int:pk>/bots/<int:user>/", ladders.bot, name="ladder_bot"),
    path("ladders/<int:pk>/bots/<int:user>/games.csv", ladders.bot_csv, name="ladder_bot_csv"),
    path("account/statistics/", figures.own, name="statistics"),
    path("players/<int:pk>/", figures.player, name="player"),
    path("players/", where.where, name="where"),
    path("tickets/", tickets.index, name="tickets"),
    path("tickets/<int:pk>/exchange/", tickets.exchange, name="exchange_ticket"),
    path("tournaments/<int:pk>/", lobby.tournament, name="tournament"),
    path("tournaments/<int:pk>/row/", lobby.row, name="row"),
    path("tournaments/<int:pk>/seat/", lobby.seat, name="seat"),
    path("tournaments/<int:pk>/clock/", lobby.clock, name="clock"),
    re_path(
        r"^tournaments/(?P<pk>[0-9]{1,18})/hands\.(?P<ending>ndjson|zip)$",
        hand_bundles.hands,
        name="tournament_hands",
    ),
    path("tournaments/<int:pk>/results.csv", lobby.results, name="results"),
    path("tournaments/<int:pk>/calendar.ics", calendars.one, name="calendar"),
    path("tournaments/<int:pk>/featured/", featured.featured, name="featured"),
    path("tournaments/<int:pk>/watch/", lobby.watch, name="watch"),
    path("tournaments/<int:pk>/password/", entering.unlock, name="unlock"),
    path("tournaments/<int:pk>/register/", entering.register, name="register"),
    path("tournaments/<int:pk>/deal/", deals.panel, name="deal"),
    path("tournaments/<int:pk>/deal/propose/", deals.propose, name="deal_propose"),
    path("tournaments/<int:pk>/deal/<int:deal>/vote/", deals.vote, name="deal_vote"),
    path("tournaments/<int:pk>/end/", endings.panel, name="end"),
    path("tournaments/<int:pk>/leave/", entering.leave, name="leave"),
    path("tournaments/<int:pk>/unregister/", entering.unregister, name="unregister"),
]
