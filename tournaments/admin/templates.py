"""Admin of templates: complete options under a name, used by hand or on a schedule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.dates import WEEKDAYS
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from config.admin_site import DeclaredLookups
from config.refusals import Refusal
from config.time_zones import zone_names
from tournaments.admin.offers import passwords
from tournaments.admin.offers import prizes as offer_prizes
from tournaments.admin.offers.fields import ASKED, TournamentSpecFields
from tournaments.admin.offers.in_words import in_words
from tournaments.admin.offers.passwords import PasswordFields
from tournaments.models import Template, Tournament
from tournaments.models.tournament import Start
from tournaments.running import series
from tournaments.schedule import options

_OWN = ("name", "structure", "is_active")
_SCHEDULE = ("schedule", "weekdays", "at_time", "zone", "announce_h")
_STORED = {"tournament_name": "name"}
_OPTIONS = tuple(name for name in ASKED if name not in series.UNSAID | {"name"})


_fields = forms.fields_for_model(Tournament, fields=_OPTIONS)
_COVERED = TournamentSpecFields.declared_fields
if TYPE_CHECKING:
    _Options = TournamentSpecFields
else:
    _Options = type(TournamentSpecFields)(
        "_Options",
        (TournamentSpecFields,),
        {"__module__": __name__}
        | {name: _fields[name] for name in _OPTIONS if name not in _COVERED}
        # The template's schedule repeats the tournament; the option of that name is left out.
        | dict.fromkeys(("repeats", "repeat_every_s")),
    )
"""Every option a template may fix, with the fields of the tournament's form."""


class TemplateForm(_Options, PasswordFields, forms.ModelForm[Template]):
    """A template; options that could not open a tournament are refused with their own message.

    The offer keeps the options that differ from a tournament's defaults.
    """

    tournament_name = forms.CharField(
        label=gettext_lazy("Name of its tournaments"),
        max_length=80,
        required=False,
        help_text=gettext_lazy("Empty: that of the template."),
    )
    zone = forms.ChoiceField(
        label=gettext_lazy("Time zone"),
        choices=lambda: [(name, name) for name in zone_names()],
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
        fields = (*_OWN, *_SCHEDULE)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.open_options()
        self.say_what_is_kept()
        kept = self.instance.offer if isinstance(self.instance.offer, dict) else {}
        self.initial = {
            **_unsaid(),
            **kept,
            "tournament_name": kept.get("name", ""),
            **self.initial,
        }
        self.show_in_units()
        self.fields["planned"].widget.address = reverse("admin:tournaments_template_prizes")
        # The present target may have started: the schedule leads on to the next one.
        target = self.fields["target"]
        assert isinstance(target, forms.ModelChoiceField)
        assert target.queryset is not None
        target.queryset |= Tournament.objects.filter(pk__in=[kept.get("target")])

    def clean(self) -> dict[str, Any]:
        """Refuse options that could not make a tournament."""
        given = super().clean() or self.cleaned_data
        if not self.errors:
            row = Template(**{name: given[name] for name in (*_OWN, *_SCHEDULE)})
            row.offer = self.instance.offer = self._chosen()
            try:
                series.validate_template(row)
            except Refusal as refusal:
                self.refuse(refusal)
        return given

    def asked(self) -> tuple[str, ...]:
        """Return every option but the name, which is the template's by default."""
        return _OPTIONS

    def draft(self) -> Tournament:
        """Return the template's next tournament, unsaved."""
        structure, offer = self.cleaned_data["structure"], self.instance.offer
        row = Template(
            name=self.cleaned_data["name"],
            structure=structure,
            offer=offer,
            schedule=self.cleaned_data["schedule"],
        )
        return series.draft(row)

    def _chosen(self) -> dict[str, object]:
        chosen = options.chosen(Tournament(**self.offer()))
        if name := self.cleaned_data["tournament_name"]:
            chosen["name"] = name
        return chosen


def _unsaid() -> dict[str, object]:
    """Return the default of each option."""
    fields = ((name, Tournament._meta.get_field(name)) for name in _OPTIONS)
    # The names are those of columns, not of relations from elsewhere.
    defaults = {name: field.get_default() for name, field in fields}  # type: ignore[union-attr]
    return defaults | {"start": Start.SIT_AND_GO}


@admin.register(Template)
class TemplateAdmin(DeclaredLookups[Template]):
    """Templates with schedule and a link to make a tournament; *Save as new* clones one."""

    form = TemplateForm
    save_as = True
    list_display = (
        "name",
        "structure",
        "schedule",
        "at_time",
        "zone",
        "is_active",
        "is_private",
        "refused",
        "use",
    )
    list_filter = ("schedule", "is_active")
    search_fields = ("name",)
    readonly_fields = ("is_private", "refused", "use", "offered")

    def get_fieldsets(self, request: HttpRequest, obj: Template | None = None) -> Any:
        """Group the fields: the template, its schedule, and every option by topic.

        Who changes nothing reads the options that differ from the defaults: most are no columns
        of the row, and their fields would be empty.
        """
        if obj is not None and not self.has_change_permission(request, obj):
            return (
                (None, {"fields": ("name", "structure", "is_active", "is_private", "use")}),
                (gettext_lazy("Schedule"), {"fields": (*_SCHEDULE, "refused")}),
                (gettext_lazy("Options"), {"fields": ("offered",)}),
            )
        secret = passwords.asked(self._kept_hash(request, obj))
        first = ("name", "structure", "is_active", "tournament_name", "is_private", *secret, "use")
        return (
            (None, {"fields": first}),
            (gettext_lazy("Schedule"), {"fields": (*_SCHEDULE, "refused")}),
            *offer_prizes.fieldsets(_OPTIONS),
        )

    def get_form(
        self, request: HttpRequest, obj: Template | None = None, change: bool = False, **kwargs: Any
    ) -> Any:
        """Return a form that keeps the password unless it is changed or dropped (T-02)."""
        form: Any = super().get_form(request, obj, change, **kwargs)
        form.kept_hash = self._kept_hash(request, obj)
        return form

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save the row with the password's hash, never the typed text."""
        obj.password = form.password_hash()
        super().save_model(request, obj, form, change)

    def get_urls(self) -> list[URLPattern]:
        """Return the pages, with the preview of prizes."""
        prizes = path(
            "prizes/", self.admin_site.admin_view(self.prizes), name="tournaments_template_prizes"
        )
        return [prizes, *super().get_urls()]

    def prizes(self, request: HttpRequest) -> HttpResponse:
        """Show the prizes of the unsaved form to users who may add templates; nothing is stored."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        name = request.POST.get("name", "")
        kept = None if "\0" in name else Template.objects.filter(name=name).first()
        return offer_prizes.shown(self.get_form(request, kept)(request.POST, instance=kept))

    @admin.display(description=gettext_lazy("other than the defaults"))
    def offered(self, template: Template) -> str:
        """Return the options that the template fixes, with their values in units."""
        kept = template.offer if isinstance(template.offer, dict) else {}
        names = [name for name in ("tournament_name", *_OPTIONS) if _STORED.get(name, name) in kept]
        return in_words(TemplateForm(instance=template), names) or "–"

    @admin.display(description=gettext_lazy("private"), boolean=True)
    def is_private(self, template: Template) -> bool:
        """Return whether registration needs the password of its tournaments (T-02)."""
        return bool(template.password)

    @admin.display(description=gettext_lazy("tournament"))
    def use(self, template: Template) -> str:
        """Return a link to the form of a new tournament, filled from the template."""
        if template._state.adding:
            return "–"
        page = reverse("admin:tournaments_tournament_add")
        words = _("Make a tournament")
        return format_html('<a href="{}?template={}">{}</a>', page, template.pk, words)

    def _kept_hash(self, request: HttpRequest, template: Template | None) -> str:
        """Return the hash of the template, or of the source of *Save as new*."""
        address = request.resolver_match
        number = address.kwargs.get("object_id") if address is not None else None
        if template is None and number is not None:
            template = self.get_object(request, unquote(number))
        return "" if template is None else template.password
