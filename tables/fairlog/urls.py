"""URLs of the log: the page of fair dealing, and the files of the log."""

from __future__ import annotations

from django.urls import path, register_converter

from tables.fairlog import addresses, files, pages

register_converter(addresses.TileNumber, "tile")
register_converter(addresses.TileLevel, "tile_level")
register_converter(addresses.SmallNumber, "leaf")
register_converter(addresses.UtcDay, "utc_day")

urlpatterns = [
    path("fair/", pages.fair, name="fair"),
    path("fair/keys", files.keys, name="fair_keys"),
    path("fair/checkpoint", files.checkpoint, name="log_head"),
    path("fair/days/", files.days, name="log_days"),
    path("fair/days/<utc_day:day>", files.day, name="log_day"),
    path("fair/tile/<tile_level:level>/<tile:number>", files.tile, name="log_tile"),
    path(
        "fair/tile/<tile_level:level>/<tile:number>.p/<leaf:width>",
        files.tile,
        name="log_tile_part",
    ),
    path("fair/tile/entries/<tile:number>", files.entries, name="log_entries"),
    path("fair/tile/entries/<tile:number>.p/<leaf:width>", files.entries, name="log_entries_part"),
    path("fair/consistency/<leaf:old>/<leaf:size>", files.consistency, name="log_consistency"),
    path("fair/decks/<leaf:pk>/proof.json", files.opened_deck, name="opened_deck"),
    path("fair/opened/<tile:number>", files.opened_decks, name="opened_decks"),
    path("fair/leaves/<leaf:index>", files.leaf, name="log_leaf"),
]
