"""URLs of the pages of tables."""

from __future__ import annotations

from django.urls import path

from tables.pages import views

urlpatterns = [
    path("tables/<int:pk>/", views.table, name="table"),
    path("tables/<int:pk>/hands/", views.hands, name="hands"),
    path("tables/<int:pk>/hands/<int:number>/", views.hand, name="hand"),
]
