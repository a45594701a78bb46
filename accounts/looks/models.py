"""Stored looks: theme of all pages; felt, deck and size of tables."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class TableLook(models.Model):
    """Look that a player chose, for every browser without a choice of its own."""

    class Theme(models.TextChoices):
        DEVICE = "device", _("Like my device")
        NIGHT = "night", _("Night")
        DAY = "day", _("Day")

    class Felt(models.TextChoices):
        GREEN = "green", _("Green")
        BLUE = "blue", _("Blue")
        RED = "red", _("Red")
        GREY = "grey", _("Grey")

    class Deck(models.TextChoices):
        FOUR = "four", _("Four colours")
        TWO = "two", _("Two colours")

    class Size(models.TextChoices):
        NORMAL = "normal", _("Normal")
        LARGE = "large", _("Large")

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="+"
    )
    theme = models.CharField(
        _("Theme"),
        max_length=8,
        choices=Theme.choices,
        default=Theme.DEVICE,
    )
    felt = models.CharField(
        _("Felt"),
        max_length=8,
        choices=Felt.choices,
        default=Felt.GREEN,
    )
    deck = models.CharField(
        _("Deck"),
        max_length=8,
        choices=Deck.choices,
        default=Deck.FOUR,
    )
    size = models.CharField(
        _("Size"),
        max_length=8,
        choices=Size.choices,
        default=Size.NORMAL,
    )

    class Meta:
        verbose_name = _("look of tables")
        verbose_name_plural = _("looks of tables")

    def __str__(self) -> str:
        return f"{self.user_id}: {self.theme}, {self.felt}, {self.deck}, {self.size}"
