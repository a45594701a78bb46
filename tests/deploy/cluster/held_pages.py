"""Addresses asked for while a decided hand is shown: one for every route and every stream."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from django.apps import apps
from django.urls import URLPattern, URLResolver, get_resolver

from tests.deploy.cluster.living import Living
from tournaments.pages.tabs import TABS

SITE: dict[str, tuple[str, ...]] = {
    "javascript-catalog": ("/jsi18n/",),
    "healthz": ("/healthz",),
    "readyz": ("/readyz",),
    "set_language": ("/i18n/setlang/",),
    "signup": ("/accounts/signup/",),
    "login": ("/accounts/login/",),
    "new_password": ("/accounts/password/MQ/made-up/",),
    "password_link_told": ("/accounts/password/told/",),
    "logout": ("/accounts/logout/",),
    "account": ("/account/",),
    "confirm": ("/account/confirm/",),
    "own_limits": ("/account/limits/",),
    "own_exclude": ("/account/limits/exclude/",),
    "login_code": ("/accounts/login/code/",),
    "second_factor": ("/account/code/",),
    "account_export": ("/account/export/",),
    "passkeys": ("/account/passkeys/",),
    "passkey_remove": ("/account/passkeys/1/remove/",),
    "passkey_login": ("/accounts/login/passkey/",),
    "provider_begin": ("/accounts/with/local/",),
    "provider_back": ("/accounts/with/local/back/",),
    "provider_signup": ("/accounts/signup/with/",),
    "providers": ("/account/providers/",),
    "provider_unlink": ("/account/providers/1/unlink/",),
    "account_delete": ("/account/delete/",),
    "sessions": ("/account/sessions/",),
    "session_end": ("/account/sessions/1/end/",),
    "sessions_end": ("/account/sessions/end/",),
    "devices_confirm": ("/account/sessions/known/",),
    "own_face": ("/account/picture/",),
    "picture": ("/pictures/0.webp",),
    "faces_json": ("/players/faces.json?of=1,2,3",),
    "look": ("/look/",),
    "look_kept": ("/look/kept/",),
    "player_notes": ("/account/notes/",),
    "player_notes_json": ("/account/notes.json",),
    "player_note": ("/players/1/note/",),
    "player_note_json": ("/players/1/note.json",),
    "tokens": ("/account/tokens/",),
    "bots": ("/account/bots/",),
    "bot_token": ("/account/bots/1/token/",),
    "bot_retire": ("/account/bots/1/retire/",),
    "token_revoke": ("/account/tokens/1/revoke/",),
    "api-root": ("/api/v1/",),
    "api_tournaments": ("/api/v1/tournaments",),
    "api_tournament": ("/api/v1/tournaments/{tournament}",),
    "api_results": ("/api/v1/tournaments/{tournament}/results",),
    "api_tables": ("/api/v1/tournaments/{tournament}/tables",),
    "api_entries": ("/api/v1/tournaments/{tournament}/entries",),
    "api_steps": ("/api/v1/tournaments/{tournament}/steps",),
    "api_admission": ("/api/v1/tournaments/{tournament}/admission",),
    "api_leave": ("/api/v1/tournaments/{tournament}/leave",),
    "api_offer": ("/api/v1/offers/1",),
    "api_rebuys": ("/api/v1/tournaments/{tournament}/rebuys",),
    "api_deals": ("/api/v1/tournaments/{tournament}/deals",),
    "api_votes": ("/api/v1/tournaments/{tournament}/deals/1/votes",),
    "api_exchange": ("/api/v1/tickets/1/exchange",),
    "api_copies": ("/api/v1/tournaments/{tournament}/copies",),
    "api_templates": ("/api/v1/templates",),
    "api_club_templates": ("/api/v1/club-templates",),
    "api_from_club_template": ("/api/v1/club-templates/1/tournaments",),
    "api_from_template": ("/api/v1/templates/1/tournaments",),
    "api_ring_games": ("/api/v1/ring-games",),
    "api_ring_sessions": ("/api/v1/ring-sessions",),
    "api_ring_session": ("/api/v1/ring-sessions/1",),
    "api_waiting": ("/api/v1/ring-games/{ring}/waiting",),
    "api_take": ("/api/v1/ring-offers/1/sessions",),
    "api_top_ups": ("/api/v1/ring-sessions/1/top-ups",),
    "api_choices": ("/api/v1/ring-sessions/1/choices",),
    "api_sit": ("/api/v1/ring-games/{ring}/sessions",),
    "api_missing": ("/api/v1/nothing",),
    "api_tickets": ("/api/v1/tickets",),
    "api_statistics": ("/api/v1/statistics",),
    "api_wallet": ("/api/v1/wallet",),
    "api_featured": ("/api/v1/tournaments/{tournament}/featured",),
    "api_hands": ("/api/v1/hands",),
    "api_hand": ("/api/v1/hands/{number}",),
    "api_hands_bundle": ("/api/v1/hands/bundle",),
    "api_tournament_bundle": ("/api/v1/tournaments/{tournament}/hands/bundle",),
    "own_hands": ("/hands/mine.ndjson", "/hands/mine.zip"),
    "tournament_hands": (
        "/tournaments/{tournament}/hands.ndjson",
        "/tournaments/{tournament}/hands.zip?format=ohh",
        "/tournaments/{tournament}/hands.zip?format=pokerstars",
    ),
    "api_hands_export": ("/api/v1/hands/export",),
    "api_tournament_export": ("/api/v1/tournaments/{tournament}/hands/export",),
    "api_tournament_hands": ("/api/v1/tournaments/{tournament}/hands",),
    "api_table_hands": ("/api/v1/tables/{table}/hands",),
    "api_tournament_void_hands": ("/api/v1/tournaments/{tournament}/void-hands",),
    "api_table_void_hands": ("/api/v1/tables/{table}/void-hands",),
    "api_table_hand": ("/api/v1/tables/{table}/hands/{number}",),
    "wallet": ("/wallet/",),
    "balance": ("/wallet/balance/",),
    "table": ("/tables/{table}/",),
    "table_own_hands": ("/tables/{table}/hands/mine/",),
    "hands": ("/tables/{table}/hands/",),
    "hand": ("/tables/{table}/hands/{number}/",),
    "hand_phh": ("/tables/{table}/hands/{number}/phh/",),
    "hand_ohh": ("/tables/{table}/hands/{number}/ohh/",),
    "hand_txt": ("/tables/{table}/hands/{number}/txt/",),
    "hand_fair": ("/tables/{table}/hands/{number}/fair/",),
    "report_player": ("/tables/{table}/report/", "/tables/{table}/report/?hand={number}"),
    "own_cards": ("/account/cards/",),
    "own_cards_csv": ("/account/cards.csv",),
    "own_cards_json": ("/account/cards.json",),
    "own_words": ("/account/own-words/",),
    "warnings": ("/account/warnings/",),
    "warning_read": ("/account/warnings/1/read/",),
    "fair_script": ("/fair/verify.py",),
    "fair_vectors": ("/fair/vectors.json",),
    "fair_log_script": ("/fair/verify_log.py",),
    "hand_proof": ("/tables/{table}/hands/{number}/proof.json",),
    "ring_lobby": ("/ring/",),
    "ring_rows": ("/ring/rows.json",),
    "ring_in_play": ("/ring/in-play/",),
    "ring_panel": ("/ring/tables/{table}/panel/",),
    "ring_jackpots": ("/ring/jackpots/",),
    "ring": ("/ring/{ring}/",),
    "rapid": ("/ring/pools/{ring}/",),
    "rapid_panel": ("/ring/pools/{ring}/panel/",),
    "ring_sit": ("/ring/{ring}/sit",),
    "ring_wait": ("/ring/{ring}/wait",),
    "ring_session": ("/ring/sessions/1/top_up",),
    "ring_history": ("/ring/mine/",),
    "ring_history_csv": ("/ring/mine.csv",),
    "ring_take": ("/ring/offers/1/take",),
    "fair": ("/fair/",),
    "fair_keys": ("/fair/keys",),
    "log_head": ("/fair/checkpoint",),
    "log_days": ("/fair/days/",),
    "log_day": ("/fair/days/2026-01-01",),
    "log_tile": ("/fair/tile/0/000",),
    "log_tile_part": ("/fair/tile/0/000.p/1",),
    "log_entries": ("/fair/tile/entries/000",),
    "log_entries_part": ("/fair/tile/entries/000.p/1",),
    "log_consistency": ("/fair/consistency/1/1",),
    "opened_deck": ("/fair/decks/1/proof.json",),
    "opened_decks": ("/fair/opened/000",),
    "log_leaf": ("/fair/leaves/0",),
    "clubs": ("/clubs/",),
    "club_new": ("/clubs/new/",),
    "club_join": ("/clubs/join/made-up/",),
    "club": ("/clubs/made-up/",),
    "club_offer": ("/clubs/made-up/tournaments/new/",),
    "club_offer_preview": ("/clubs/made-up/tournaments/preview/",),
    "club_bank": ("/clubs/made-up/bank/",),
    "club_fund": ("/clubs/made-up/bank/fund/",),
    "cockpit_guests": ("/organise/{tournament}/guests/",),
    "club_templates": ("/clubs/made-up/templates/?keep={tournament}",),
    "club_template_delete": ("/clubs/made-up/templates/1/delete/",),
    "club_ring_new": ("/clubs/made-up/ring/new/",),
    "club_ring": ("/clubs/made-up/ring/{ring}/",),
    "club_ring_step": ("/clubs/made-up/ring/{ring}/step/freeze/",),
    "club_edit": ("/clubs/made-up/profile/",),
    "club_picture": ("/clubs/made-up/picture/",),
    "club_picture_file": ("/clubs/made-up/pictures/0.webp",),
    "club_ask": ("/clubs/made-up/request/",),
    "club_leave": ("/clubs/made-up/leave/",),
    "club_members": ("/clubs/made-up/members/",),
    "club_person": ("/clubs/made-up/members/1/",),
    "club_silences": ("/clubs/made-up/silences/",),
    "club_silence_end": ("/clubs/made-up/silences/1/end/",),
    "club_manage": ("/clubs/made-up/manage/",),
    "club_invite": ("/clubs/made-up/invitations/",),
    "club_revoke": ("/clubs/made-up/invitations/1/revoke/",),
    "club_answer": ("/clubs/made-up/requests/1/",),
    "club_announce": ("/clubs/made-up/announcements/",),
    "club_withdraw": ("/clubs/made-up/announcements/1/withdraw/",),
    "club_season_new": ("/clubs/made-up/seasons/new/",),
    "statistics": ("/account/statistics/",),
    "player": ("/players/1/",),
    "seasons": ("/seasons/",),
    "season_new": ("/seasons/new/",),
    "season_preview": ("/seasons/preview/",),
    "season": ("/seasons/1/",),
    "season_csv": ("/seasons/1/table.csv",),
    "season_panel": ("/seasons/1/panel/",),
    "season_overlay": ("/seasons/1/overlay/",),
    "season_change": ("/seasons/1/change/",),
    "season_delete": ("/seasons/1/delete/",),
    "ladders": ("/ladders/",),
    "ladder": ("/ladders/1/",),
    "ladder_csv": ("/ladders/1/table.csv",),
    "ladder_bot": ("/ladders/1/bots/1/",),
    "ladder_bot_csv": ("/ladders/1/bots/1/games.csv",),
    "api_ladders": ("/api/v1/ladders",),
    "api_ladder": ("/api/v1/ladders/1/table",),
    "api_ladder_bot": ("/api/v1/ladders/1/bots/1",),
    "api_seasons": ("/api/v1/seasons",),
    "api_season": ("/api/v1/seasons/1/table",),
    "lobby": ("/",),
    "take_seat": ("/seat/",),
    "organise": ("/organise/",),
    "cockpit": ("/organise/{tournament}/",),
    "cockpit_overlays": ("/organise/{tournament}/overlays/",),
    "cockpit_sponsor": ("/organise/{tournament}/overlays/sponsor/",),
    "cockpit_step": ("/organise/{tournament}/step/cancel_forward/",),
    "cockpit_message": ("/organise/{tournament}/message/",),
    "cockpit_feature": ("/organise/{tournament}/feature/",),
    "cockpit_seat": ("/organise/{tournament}/seat/",),
    "cockpit_move": ("/organise/entry/{entry}/move/",),
    "cockpit_take_out": ("/organise/entry/{entry}/out/",),
    "cockpit_disqualify": ("/organise/entry/{entry}/disqualify/",),
    "organise_new": ("/organise/new/",),
    "organise_preview": ("/organise/preview/",),
    "forgotten": ("/accounts/forgotten/",),
    "emails": ("/account/emails/",),
    "email_primary": ("/account/emails/1/primary/",),
    "email_again": ("/account/emails/1/again/",),
    "email_remove": ("/account/emails/1/remove/",),
    "email_confirm": ("/accounts/email/1.x/",),
    "calendar": ("/tournaments/{tournament}/calendar.ics",),
    "calendar_room": ("/calendar.ics",),
    "calendar_own": ("/calendar/1.x.ics",),
    "where": ("/players/?name={name}",),
    "tickets": ("/tickets/",),
    "exchange_ticket": ("/tickets/1/exchange/",),
    "tournament": tuple(f"/tournaments/{{tournament}}/?tab={tab}" for tab in TABS),
    "row": ("/tournaments/{tournament}/row/",),
    "seat": ("/tournaments/{tournament}/seat/", "/tournaments/{tournament}/seat/?table={table}"),
    "clock": ("/tournaments/{tournament}/clock/",),
    "results": ("/tournaments/{tournament}/results.csv",),
    "featured": ("/tournaments/{tournament}/featured/",),
    "overlay": ("/overlay/{overlay}/",),
    "watch": ("/tournaments/{tournament}/watch/",),
    "unlock": ("/tournaments/{tournament}/password/",),
    "register": ("/tournaments/{tournament}/register/",),
    "deal": ("/tournaments/{tournament}/deal/",),
    "deal_propose": ("/tournaments/{tournament}/deal/propose/",),
    "deal_vote": ("/tournaments/{tournament}/deal/1/vote/",),
    "end": ("/tournaments/{tournament}/end/",),
    "leave": ("/tournaments/{tournament}/leave/",),
    "unregister": ("/tournaments/{tournament}/unregister/",),
}
"""Name of a route -> the addresses at which everybody looks."""

OF_THE_PROCESSES = {"metrics", "manifest", "worker", "offline"}
"""Routes of no tournament: numbers of the processes, behind a token, and the installed room."""

OF_DEVICES = {"notifications", "device_add", "device_forget", "device_remove", "devices_try"}
"""Routes of a user's own devices and of what they are told."""

STREAMS: dict[str, tuple[str, ...]] = {
    "table": ("table:{table}",),
    "tournament": ("tournament:{tournament}",),
    "lobby": ("lobby",),
    "club": ("club:1",),
    "tablechat": ("tablechat:{table}",),
    "railchat": ("railchat:{table}",),
    "tournamentchat": ("tournamentchat:{tournament}",),
    "clubchat": ("clubchat:1",),
    "user": ("user:{user}",),
    "cardsup": ("cardsup:{table}",),
    "featured": ("featured:{tournament}",),
    "field": ("field:{tournament}",),
}
"""Prefix of a kind of streams -> the streams whose snapshot everybody asks for."""

OVERLAID = ("featured:{tournament}", "field:{tournament}")
"""Streams that an overlay follows over a socket of its own."""

_SAYS_NO_MORE = ("(?P<url>.*)$", "<path:object_id>/", "/add/", "/delete/", "/history/")
"""Ends of routes of Django's admin that lead to another one, or show less than the row's page."""


class Hand(NamedTuple):
    """The hand that is held, where it is played, and a ring game."""

    tournament: int
    table: int
    number: int
    entry: int
    name: str
    overlay: str
    ring: int = 1


def routes() -> list[tuple[str, str]]:
    """The (name, route) of every address the room answers at."""
    return list(_routes(get_resolver().url_patterns, ""))


def site(hand: Hand) -> list[str]:
    """The addresses outside the admin."""
    return [way.format_map(hand._asdict()) for ways in SITE.values() for way in ways]


def of_programs(hand: Hand) -> list[str]:
    """The addresses of the API, at which a program looks with its token."""
    return [way for way in site(hand) if way.startswith("/api/")]


def desk(living: Living, hand: Hand) -> list[str]:
    """The addresses of the admin: all that is registered there, each at its newest row."""
    found = [f"/admin/live/?tournament={hand.tournament}", f"hx:/admin/live/?all={hand.table}"]
    for name, route in routes():
        if route.startswith("admin/") and not route.endswith(_SAYS_NO_MORE):
            found.append("/" + _filled(living, hand, name, route))
    return found


def _routes(patterns: list[URLPattern | URLResolver], prefix: str) -> Iterator[tuple[str, str]]:
    for one in patterns:
        route = prefix + str(one.pattern)
        if isinstance(one, URLPattern):
            yield one.name or "", route
        else:
            yield from _routes(one.url_patterns, route)


def _filled(living: Living, hand: Hand, name: str, route: str) -> str:
    """A route of the admin with keys in it: the held hand's, else the newest row's."""
    route = re.sub(r"\^\(\?P<app_label>(\w+)\|.*", r"\1/", route)
    route = route.replace("<str:step>", "cancel_forward")
    for key, value in (("entry", hand.entry), ("tournament", hand.tournament)):
        route = route.replace(f"<int:{key}_id>", str(value))
    if "<" not in route:
        return route
    app, model = route.split("/")[1:3]
    return re.sub(r"<[^>]+>", str(_newest(living, hand, app, model)), route)


def _newest(living: Living, hand: Hand, app: str, model: str) -> int | str:
    own = {"tournament": hand.tournament, "table": hand.table, "entry": hand.entry}
    if (app, model) in {
        ("tournaments", "tournament"),
        ("tables", "table"),
        ("tournaments", "entry"),
    }:
        return own[model]
    meta = apps.get_model(app, model)._meta
    assert meta.pk is not None
    rows = living.sql(f'SELECT max("{meta.pk.column}") FROM "{meta.db_table}"')
    return rows[0][0] or 1
