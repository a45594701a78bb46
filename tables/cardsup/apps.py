"""The Django app of cards-up streams."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CardsUpConfig(AppConfig):
    """Django app of cards-up streams: hands told again after a delay."""

    name = "tables.cardsup"
    label = "cardsup"
    verbose_name = _("cards-up streams")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Let clients follow the cards-up streams of tables; register their retention."""
        from accounts.retention import kinds as aging
        from tables.cardsup import pruning, streams, watching

        aging.register(*pruning.KINDS)
        streams.register(watching.CARDS_UP)
