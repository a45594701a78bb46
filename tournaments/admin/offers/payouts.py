"""Custom payout tables in the admin: typed in lines, checked, previewed for a field (Z-02)."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec
from django import forms
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _

from accounts import money
from accounts.refusals import words_of
from config import limits
from config.inputs.json_text import decoded
from config.refusals import RuleRefusal
from tournaments.engine import payout_tables, payouts

_JSON_STARTS = ("[", "{")


class PayoutRowsField(forms.CharField):
    """Lines like `4-9: 70 30`, or the rows as JSON; the value is the stored form."""

    widget = forms.Textarea

    def prepare_value(self, value: Any) -> Any:
        """Format stored rows as lines."""
        if isinstance(value, list):
            with suppress(RuleRefusal, msgspec.ValidationError):
                return payout_tables.written(payout_tables.decoded(value))
        return value

    def clean(self, value: Any) -> Any:
        """Return the rows in their stored form, or None; refuse with the reason."""
        text = str(super().clean(value) or "").strip()
        if not text or text == "null":
            return None
        try:
            if text.startswith(_JSON_STARTS):
                table = payout_tables.decoded(decoded(msgspec.json.decode, text))
            else:
                table = payout_tables.parse(text)
        except RuleRefusal as refusal:
            raise forms.ValidationError(words_of(refusal), code=refusal.code) from refusal
        except msgspec.MsgspecError as broken:
            raise forms.ValidationError(_(payout_tables.A_ROW), code="bad_row") from broken
        return msgspec.to_builtins(table.rows)


class PreviewForm(forms.Form):
    """A payout table, and the field to preview it for."""

    rows = PayoutRowsField(
        label=_("Rows"), help_text=_("Entrants and percentages by place, for example 4-9: 70 30")
    )
    entrants = forms.IntegerField(label=_("Entrants"), min_value=1, max_value=limits.ENTRIES_MAX)
    pool = money.AmountField(
        label=_("Prize pool"), help_text=_("For example 25.00"), most=limits.TRANSFER_MAX_CENTS
    )


def preview(page: Any, request: HttpRequest) -> HttpResponse:
    """Show each place's prize by these rows; nothing is stored."""
    form = PreviewForm(request.GET if "rows" in request.GET else None)
    prizes: list[int] = []
    if form.is_valid() and form.cleaned_data["rows"] is not None:
        table = payout_tables.decoded(form.cleaned_data["rows"])
        prizes = payouts.prizes(table, form.cleaned_data["entrants"], form.cleaned_data["pool"])
    context = page.admin_site.each_context(request) | {
        "title": _("Payout table"),
        "opts": page.opts,
        "form": form,
        "prizes": [(place, money.text(prize)) for place, prize in enumerate(prizes, start=1)],
    }
    return TemplateResponse(request, "admin/tournaments/tournament/payouts.html", context)
