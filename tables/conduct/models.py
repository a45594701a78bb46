"""Stored conduct of players: figures by month, shared browsers and networks, cases, reports."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tables.models import Table


def _user(**options: Any) -> models.ForeignKey[Any, Any]:
    """Return a key of a user without a constraint: users are never deleted, rows are many."""
    return models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        db_constraint=False,
        related_name="+",
        **options,
    )


class UncountedHand(models.Model):
    """A settled hand that is in no figures yet; written with the hand, deleted with its count."""

    hand = models.BigIntegerField(primary_key=True)

    def __str__(self) -> str:
        return str(self.hand)


class PlayerConduct(models.Model):
    """Figures of a user in one month (as 202611); see `PlayerFigures`.

    `is_new` until the signs were looked for in them.
    """

    user = _user(db_index=False)
    month = models.PositiveIntegerField()
    hands = models.PositiveIntegerField(default=0)
    meetings = models.PositiveIntegerField(default=0)
    flow = models.BigIntegerField(default=0)
    capped = models.BigIntegerField(default=0)
    squares = models.BigIntegerField(default=0)
    duels = models.PositiveIntegerField(default=0)
    quiet_duels = models.PositiveIntegerField(default=0)
    times = ArrayField(models.IntegerField())
    calls = ArrayField(models.IntegerField())
    is_new = models.BooleanField(default=True)

    class Meta:
        verbose_name = _("conduct of a player")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "month"], name="conduct_once_a_month"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["id"], condition=Q(is_new=True), name="conduct_new_players"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.month}"


class PairConduct(models.Model):
    """Figures of two users in one month, the one with the smaller key first; see `PairFigures`."""

    first = _user(db_index=False)
    second = _user()
    month = models.PositiveIntegerField()
    meetings = models.PositiveIntegerField(default=0)
    flow = models.BigIntegerField(default=0)
    capped = models.BigIntegerField(default=0)
    squares = models.BigIntegerField(default=0)
    duels = models.PositiveIntegerField(default=0)
    first_quiet = models.PositiveIntegerField(default=0)
    second_quiet = models.PositiveIntegerField(default=0)
    both_quiet = models.PositiveIntegerField(default=0)
    is_new = models.BooleanField(default=True)

    class Meta:
        verbose_name = _("conduct of a pair")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["first", "second", "month"], name="pair_once_a_month"),
            models.CheckConstraint(condition=Q(first__lt=F("second")), name="pair_in_order"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["id"], condition=Q(is_new=True), name="conduct_new_pairs"),
        ]

    def __str__(self) -> str:
        return f"{self.first_id} {self.second_id} {self.month}"


class PlayerDay(models.Model):
    """Hours of one day (UTC) in which a user was dealt a hand, as a mask of 24 bits."""

    user = _user(db_index=False)
    day = models.DateField()
    hours = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("day of play")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "day"], name="day_of_play_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.day}"


class SharedBrowser(models.Model):
    """Two users who logged in with one browser, by its own signed cookie; smaller key first."""

    first = _user(db_index=False)
    second = _user()
    logins = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField()

    class Meta:
        verbose_name = _("shared browser")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["first", "second"], name="shared_browser_once"),
        ]

    def __str__(self) -> str:
        return f"{self.first_id} {self.second_id}"


class LoginNetwork(models.Model):
    """A network from which a user logged in, as a keyed hash of its shortened address."""

    user = _user(db_index=False)
    network = models.CharField(max_length=32)
    logins = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField()

    class Meta:
        verbose_name = _("network of a log-in")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "network"], name="login_network_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.network[:8]}"


class ConductCase(models.Model):
    """A case for staff: one sign of one player or pair, with its figures when last looked at.

    `user` gives to `other` in a case of dumping. A decided case keeps its score and figures.
    """

    class Sign(models.TextChoices):
        DUMPING = "dumping", _("chip dumping")
        SOFT_PLAY = "soft_play", _("soft play")
        SHARED_BROWSER = "shared_browser", _("shared browser")
        CLOCKWORK = "clockwork", _("times like clockwork")
        TIRELESS = "tireless", _("play around the clock")
        SEEING = "seeing", _("calls that fit hidden cards")
        REPORTED = "reported", _("reported by players")

    class State(models.TextChoices):
        OPEN = "open", _("open")
        DISMISSED = "dismissed", _("dismissed")
        WARNED = "warned", _("warned")
        BANNED = "banned", _("banned")

    sign = models.CharField(_("sign"), max_length=20, choices=Sign.choices)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name=_("player"),
    )
    other = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        verbose_name=_("other player"),
    )
    score = models.FloatField(_("score"), help_text=_("1 is the threshold of its sign"))
    figures = models.JSONField(_("figures"), default=dict)
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.OPEN)
    opened_at = models.DateTimeField(_("opened at"), auto_now_add=True)
    scored_at = models.DateTimeField(_("looked at"), auto_now=True)
    decided_at = models.DateTimeField(_("decided at"), null=True)

    class Meta:
        verbose_name = _("case")
        verbose_name_plural = _("cases")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["sign", "user", "other"],
                condition=Q(state="open"),
                name="one_open_case_of_pair",
            ),
            models.UniqueConstraint(
                fields=["sign", "user"],
                condition=Q(state="open", other=None),
                name="one_open_case_of_player",
            ),
            models.CheckConstraint(
                condition=Q(state="open", decided_at=None)
                | (~Q(state="open") & Q(decided_at__isnull=False)),
                name="case_decided_with_its_time",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["state", "-score"], name="cases_by_score"),
        ]
        permissions: ClassVar = [("decide_cases", _("Can decide cases of conduct"))]

    def __str__(self) -> str:
        return f"{self.sign} #{self.pk}"


class ConductWarning(models.Model):
    """A warning of a player by the decision of a case, with words for the player.

    `read_at` is the player's own acknowledgement.
    """

    case = models.ForeignKey(
        ConductCase, on_delete=models.CASCADE, related_name="warnings", verbose_name=_("case")
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="+",
        verbose_name=_("player"),
    )
    words = models.CharField(_("words to the player"), max_length=300, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("by")
    )
    made_at = models.DateTimeField(_("made at"), auto_now_add=True)
    read_at = models.DateTimeField(_("read at"), null=True, editable=False)

    class Meta:
        verbose_name = _("warning")
        verbose_name_plural = _("warnings")
        indexes: ClassVar = [
            models.Index(fields=["user"], condition=Q(read_at=None), name="unread_warnings"),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["case", "user"], name="one_warning_of_case"),
        ]

    def __str__(self) -> str:
        return f"#{self.pk}"


class PlayerReport(models.Model):
    """A report of a player by another at a table, in words of its author."""

    class Reason(models.TextChoices):
        COLLUSION = "collusion", _("plays together with another")
        BOT = "bot", _("plays like a program")
        ACCOUNTS = "accounts", _("plays with several accounts")
        MANNERS = "manners", _("insults or threatens")
        OTHER = "other", _("something else")

    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", verbose_name=_("by")
    )
    accused = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="+",
        verbose_name=_("player"),
    )
    table = models.ForeignKey(
        Table, on_delete=models.PROTECT, related_name="+", verbose_name=_("table")
    )
    hand = models.PositiveIntegerField(_("hand"), null=True)
    reason = models.CharField(_("reason"), max_length=20, choices=Reason.choices)
    words = models.CharField(_("in own words"), max_length=200, blank=True)
    made_at = models.DateTimeField(_("made at"), auto_now_add=True, db_index=True)

    class Meta:
        verbose_name = _("report of a player")
        verbose_name_plural = _("reports of players")
        indexes: ClassVar = [
            models.Index(fields=["accused", "-made_at"], name="reports_of_accused")
        ]
        constraints: ClassVar = [
            models.CheckConstraint(condition=~Q(by=F("accused")), name="nobody_reports_oneself"),
        ]

    def __str__(self) -> str:
        return f"#{self.pk}"
