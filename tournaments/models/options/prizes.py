"""Prize options of a tournament: payouts, prizes in kind, tickets as prize or payment (Z, K)."""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from config import limits


class Methods(models.TextChoices):
    """Ways to pay for a tournament (K-02)."""

    MONEY = "money", _("money only")
    TICKET = "ticket", _("ticket only")
    BOTH = "money_and_tickets", _("money and tickets")


class Surplus(models.TextChoices):
    """Destination of a ticket's worth above the price (K-03)."""

    ACCOUNT = "account", _("to the account")
    BONUS = "bonus", _("to the bonus")


class TicketBack(models.TextChoices):
    """Compensation for a ticket on unregistering (K-05)."""

    TICKET = "ticket", _("the ticket")
    MONEY = "money", _("its worth in money")


class PrizeOptions(models.Model):
    """The payment and prize columns of a tournament's row; money in cents."""

    payout_table = models.JSONField(
        _("own payout table"),
        null=True,
        blank=True,
        help_text=_("Rows of entrants and shares in basis points; instead of a preset (Z-02)."),
    )
    special_prize = models.CharField(
        _("special prize"), max_length=120, blank=True, help_text=_("Named; for the winner (Z-03).")
    )
    second_prize = models.CharField(_("second prize"), max_length=120, blank=True)
    second_prize_places = models.PositiveIntegerField(_("places with a second prize"), default=0)
    methods = models.CharField(
        _("payment"), max_length=20, choices=Methods.choices, default=Methods.MONEY
    )
    activity = models.CharField(
        _("activity"),
        max_length=40,
        blank=True,
        help_text=_("Tickets of this scope pay here (K-01)."),
    )
    surplus_to = models.CharField(
        _("a ticket's surplus"), max_length=10, choices=Surplus.choices, default=Surplus.ACCOUNT
    )
    ticket_back = models.CharField(
        _("unregistering gives back"),
        max_length=10,
        choices=TicketBack.choices,
        default=TicketBack.TICKET,
    )
    target = models.ForeignKey(
        "tournaments.Tournament",
        verbose_name=_("satellite to"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="satellites",
        help_text=_("The tournament its tickets pay for (K-08)."),
    )
    ticket_value = models.PositiveBigIntegerField(
        _("value of a ticket"),
        default=0,
        help_text=_("Of a satellite to no single tournament: prizes are tickets of it (K-07)."),
    )
    ticket_scope = models.CharField(
        _("activity of the tickets"),
        max_length=40,
        blank=True,
        help_text=_("Tournaments of this activity take them (K-01)."),
    )
    ticket_days = models.PositiveIntegerField(
        _("tickets are valid for (days)"),
        default=limits.TICKET_PRIZE_VALID_DAYS,
        validators=[MinValueValidator(1), MaxValueValidator(limits.TICKET_DAYS_MAX)],
        help_text=_("From the day they are won."),
    )
    ticket_exchangeable = models.BooleanField(
        _("tickets can be exchanged for money"), default=False, help_text=_("K-06")
    )
    winners_cash = models.BooleanField(_("pays the rest in money"), default=True)
    worth_if_registered = models.BooleanField(
        _("money instead of a ticket to who is registered for the target already"), default=True
    )

    class Meta:
        abstract = True
