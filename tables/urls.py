"""URLs of the pages of tables."""

from __future__ import annotations

from django.urls import path, re_path

from tables.pages import bundles, downloads, own_words, views

urlpatterns = [
    path("tables/<int:pk>/", views.table, name="table"),
    path("tables/<int:pk>/hands/", views.hands, name="hands"),
    path("tables/<int:pk>/hands/mine/", views.own_hands, name="table_own_hands"),
    path("tables/<int:pk>/hands/<int:number>/", views.hand, name="hand"),
    path(
        "tables/<int:pk>/hands/<int:number>/phh/",
        downloads.hand_file,
        {"form": "phh"},
        name="hand_phh",
    ),
    path(
        "tables/<int:pk>/hands/<int:number>/ohh/",
        downloads.hand_file,
        {"form": "ohh"},
        name="hand_ohh",
    ),
    path(
        "tables/<int:pk>/hands/<int:number>/txt/",
        downloads.hand_file,
        {"form": "txt"},
        name="hand_txt",
    ),
    path("tables/<int:pk>/hands/<int:number>/fair/", views.hand_fair, name="hand_fair"),
    re_path(r"^hands/mine\.(?P<ending>ndjson|zip)$", bundles.own_bundle, name="own_hands"),
    path("account/own-words/", own_words.own_words, name="own_words"),
    path("fair/verify.py", downloads.verify_script, name="fair_script"),
    path("fair/vectors.json", downloads.vectors, name="fair_vectors"),
    path("fair/verify_log.py", downloads.verify_log_script, name="fair_log_script"),
    path(
        "tables/<int:pk>/hands/<int:number>/proof.json",
        downloads.hand_proof_json,
        name="hand_proof",
    ),
]
