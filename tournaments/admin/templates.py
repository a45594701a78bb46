"""Templates in the admin: whole offers under a name, by hand or on a schedule."""

from __future__ import annotations

from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.contrib import admin
from django.urls import reverse
from django.utils.dates import WEEKDAYS
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments import series
from tournaments.models import Template
from tournaments.refusals import REFUSALS


class TemplateForm(forms.ModelForm):
    """A template that could not open a tournament is refused in the house's words."""

    zone = forms.ChoiceField(
        label=gettext_lazy("Time zone"),
        choices=lambda: [(name, name) for name in sorted(available_timezones())],
        initial="UTC",
    )
    weekdays = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Days"),
        choices=list(WEEKDAYS.items()),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    class Meta:
        model = Template
        fields = (
            *("name", "structure", "offer", "is_active"),
            *("schedule", "weekdays", "at_time", "zone", "announce_h"),
        )
        help_texts = {
            "offer": gettext_lazy(
                "The options that differ from a tournament without a word, as fields and values;"
                " amounts in cents, times in ms. Easiest made from a tournament that exists."
            )
        }

    def clean(self) -> dict[str, Any]:
        """Try whether a tournament could be made of it."""
        given = super().clean() or self.cleaned_data
        if not self.errors:
            row = Template(**given)
            try:
                series.check(row)
            except REFUSALS as refusal:
                raise forms.ValidationError(refusal.message, code=refusal.code) from refusal
        return given


@admin.register(Template)
class TemplateAdmin(admin.ModelAdmin):
    """What opens by itself, and what one click makes; *Save as new* clones one."""

    form = TemplateForm
    save_as = True
    list_display = (
        "name",
        "structure",
        "schedule",
        "at_time",
        "zone",
        "is_active",
        "refused",
        "use",
    )
    list_filter = ("schedule", "is_active")
    search_fields = ("name",)
    readonly_fields = ("refused", "use")
    fieldsets = (
        (None, {"fields": ("name", "structure", "offer", "is_active", "use")}),
        (
            gettext_lazy("Schedule"),
            {"fields": ("schedule", "weekdays", "at_time", "zone", "announce_h", "refused")},
        ),
    )

    @admin.display(description=gettext_lazy("tournament"))
    def use(self, template: Template) -> str:
        """A link to the form of a new tournament with everything filled in."""
        if template.pk is None:
            return "–"
        page = reverse("admin:tournaments_tournament_add")
        words = _("Make a tournament")
        return format_html('<a href="{}?template={}">{}</a>', page, template.pk, words)
