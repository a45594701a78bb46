"""Admin of webhooks: addresses with their secrets, and deliveries with their dead letters."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.admin.operators import operator
from accounts.admin.read_only import ReadOnly
from accounts.refusals import words_of
from config.admin_site import DeclaredLookups
from config.outside import addresses
from config.refusals import Refusal
from tournaments.models import Webhook, WebhookDelivery
from tournaments.models.webhook import new_secret
from tournaments.webhooks import collecting, delivering


class WebhookForm(forms.ModelForm[Webhook]):
    """Form that refuses addresses which no delivery would reach."""

    def clean_address(self) -> str:
        """Return the address if it may be a webhook's; a name is resolved at each delivery."""
        address = str(self.cleaned_data["address"])
        try:
            addresses.refuse_literal(address, settings.WEBHOOK_NETWORKS)
        except Refusal as refusal:
            raise forms.ValidationError(words_of(refusal), code=refusal.code) from refusal
        return address

    def clean(self) -> dict[str, Any] | None:
        """Refuse events for chats that only JSON tells."""
        given = super().clean() or {}
        chat = given.get("form") not in (None, Webhook.Form.JSON)
        if chat and given.get("scope") == Webhook.Scope.ALL:
            self.add_error("scope", _("Every event is told as JSON only."))
        if chat and given.get("tells_hands"):
            self.add_error("tells_hands", _("Hands are told as JSON only."))
        return given


@admin.register(Webhook)
class WebhookAdmin(DeclaredLookups[Webhook]):
    """All webhooks; a secret is shown once, when it is made."""

    form = WebhookForm
    fields = (
        *("name", "address", "form", "scope", "tells_new", "tells_starts", "tells_hands"),
        *("tournament", "language", "is_active"),
    )
    raw_id_fields = ("tournament",)
    list_display = (
        "name",
        "form",
        "scope",
        "tournament",
        "is_active",
        "accepted_at",
        "stopped_why",
    )
    list_filter = ("is_active", "form")
    list_select_related = ("tournament",)
    search_fields = ("name",)
    actions = ("make_new_secret",)

    def save_model(self, request: HttpRequest, obj: Webhook, form: Any, change: bool) -> None:
        """Save a webhook; a new one, and what a change adds to it, begin with the present."""
        if change:
            obj.stopped_why = "" if obj.is_active else obj.stopped_why
            with transaction.atomic():
                # The lock waits for a look that is collecting by the row of before.
                before = Webhook.objects.select_for_update(of=("self",)).get(pk=obj.pk)
                # Deliveries went on while the form was open.
                obj.accepted_at = before.accepted_at
                super().save_model(request, obj, form, change)
                if "form" in form.changed_data:
                    collecting.take_again(obj)
                if {"tells_hands", "tournament"} & set(form.changed_data):
                    collecting.begin_changed(obj, before)
            return
        with transaction.atomic():
            obj.made_by_id = request.user.pk
            super().save_model(request, obj, form, change)
            collecting.begin(obj)
        self._show_secret(request, obj)

    @admin.action(description=_("Make a new secret"), permissions=["change"])
    def make_new_secret(self, request: HttpRequest, queryset: QuerySet[Webhook]) -> None:
        """Replace the secrets of webhooks; the old ones sign nothing from now on."""
        for webhook in queryset:
            webhook.secret = new_secret()
            webhook.save(update_fields=["secret"])
            self.log_change(request, webhook, "new secret")
            self._show_secret(request, webhook)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Return what a deletion takes: the webhooks, and their deliveries by number alone.

        Deliveries are records which nobody deletes by hand, but those of a webhook go with it.
        """
        webhooks = list(objs)
        counts = {
            str(self.opts.verbose_name_plural): len(webhooks),
            str(WebhookDelivery._meta.verbose_name_plural): WebhookDelivery.objects.filter(
                webhook__in=webhooks
            ).count(),
        }
        lacks = set() if self.has_delete_permission(request) else {self.opts.verbose_name}
        return [str(webhook) for webhook in webhooks], counts, lacks, []

    def _show_secret(self, request: HttpRequest, webhook: Webhook) -> None:
        if webhook.form == Webhook.Form.JSON:
            values = {"name": webhook.name, "secret": webhook.secret}
            told = gettext("The secret of %(name)s, shown only now: %(secret)s") % values
            self.message_user(request, told, messages.WARNING)


@admin.register(WebhookDelivery)
class WebhookDeliveryAdmin(ReadOnly, DeclaredLookups[WebhookDelivery]):
    """Deliveries of all webhooks, dead letters among them."""

    list_display = (
        *("id", "webhook", "event", "stream", "seq", "state"),
        *("attempts", "due_at", "error", "ended_at"),
    )
    list_filter = ("state", "webhook")
    list_select_related = ("webhook",)
    ordering = ("-id",)
    actions = ("send_again",)

    @admin.action(description=_("Send dead letters again"), permissions=["view"])
    def send_again(self, request: HttpRequest, queryset: QuerySet[WebhookDelivery]) -> None:
        """Let the dead letters among the chosen deliveries wait again."""
        if not request.user.has_perm("tournaments.change_webhook"):
            self.message_user(request, gettext("You may not change webhooks."), messages.ERROR)
            return
        dead = queryset.filter(state=WebhookDelivery.State.DEAD)
        webhooks = list(Webhook.objects.filter(pk__in=dead.values("webhook")))
        with transaction.atomic():
            count = delivering.send_again(list(dead.values_list("pk", flat=True)))
            words = "dead letters sent again"
            LogEntry.objects.log_actions(operator(request).pk, webhooks, CHANGE, words)
        done = ngettext("%(count)d dead letter waits.", "%(count)d dead letters wait.", count)
        self.message_user(request, done % {"count": count})
