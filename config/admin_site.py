"""Admin site of the room: lists filter by declared filters and by nothing else.

Django lets everybody with access to a list filter it by any column of its model, shown or not
(`?record__contains=...`), which reads hidden columns bit by bit. Here a lookup is refused unless a
declared filter or the date hierarchy consumes it.
"""

from __future__ import annotations

from typing import Any, TypeVar

from django.contrib import admin
from django.contrib.admin.apps import AdminConfig
from django.contrib.admin.exceptions import DisallowedModelAdminLookup
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.db.models import Model
from django.db.models.constants import LOOKUP_SEP
from django.http import HttpRequest
from django.shortcuts import redirect

from config.inputs.numbers import whole

Row = TypeVar("Row", bound=Model)

RELATED_LISTED = 30
"""Rows in a filter by a related row: a room of years has tens of thousands of tournaments."""

ROWS_OF_VALUES = 10_000
"""Newest rows whose values a filter of a column without declared values offers."""

FILTER_ENDINGS = frozenset(
    ("exact", "id__exact", "in", "isnull", "isempty", "gte", "lt", "year", "month", "day")
)
"""Endings of the parameters of Django's own list filters and of its date hierarchy."""


class DeclaredChangeList(ChangeList):
    """Change list that refuses every parameter that no declared filter consumed."""

    model_admin: DeclaredLookups[Any]

    def get_filters(self, request: HttpRequest) -> Any:
        """Return Django's filters.

        Raise DisallowedModelAdminLookup for unconsumed parameters, and IncorrectLookupParameters
        for values that no row can have: Django turns these into the list without filters.
        """
        if any("\x00" in value for values in request.GET.lists() for value in values[1]):
            raise IncorrectLookupParameters("PostgreSQL holds no text with a NUL")
        try:
            found = super().get_filters(request)
        except (OverflowError, ValueError) as wrong:  # a month of 20 digits, the year 9999
            raise IncorrectLookupParameters(wrong) from wrong
        left = set(found[2])
        if self.date_hierarchy:
            left -= {f"{self.date_hierarchy}__gte", f"{self.date_hierarchy}__lt"}
        if left:
            raise DisallowedModelAdminLookup(f"Filtering by {sorted(left)[0]} not allowed")
        return found

    def get_results(self, request: HttpRequest) -> None:
        """Read the rows of the page, and what their editor shows of all of them at once."""
        super().get_results(request)
        self.result_list = self.model_admin.with_live_facts(self.result_list)


class DeclaredLookups(admin.ModelAdmin[Row]):
    """Base of every ModelAdmin: lookups are denied unless a filter of the list declares them."""

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        """Return whether a declared filter could consume a lookup; the list checks that it did."""
        return any(
            lookup == path
            or (
                lookup.startswith(path + LOOKUP_SEP)
                and lookup.removeprefix(path + LOOKUP_SEP) in FILTER_ENDINGS
            )
            for path in self.filter_paths(request)
        )

    def filter_paths(self, request: HttpRequest | None) -> set[str]:
        """Return the fields and parameters by which this list may be filtered."""
        declared = self.list_filter if request is None else self.get_list_filter(request)
        paths = {_path(one) for one in declared}
        return paths | {self.date_hierarchy} if self.date_hierarchy else paths

    def to_field_allowed(self, request: HttpRequest, to_field: str) -> bool:
        """Return whether rows may be referred to by this field: the primary key alone."""
        return to_field in ("pk", self.opts.pk.name)

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        """Return the change list class that refuses undeclared parameters."""
        return DeclaredChangeList

    def with_live_facts(self, rows: Any) -> Any:
        """Return the rows of one page of the list, with facts that are read for all at once."""
        return rows


class LatestRelated(admin.RelatedFieldListFilter):
    """Filter by a related row: the latest ones to choose from, and any that the address names."""

    def field_choices(self, field: Any, request: HttpRequest, model_admin: Any) -> Any:
        """Return the chosen rows, then the latest."""
        rows = field.related_model._default_manager
        named = [whole(str(number)) for number in self.lookup_val or ()]
        chosen = rows.filter(pk__in=[pk for pk in named if pk is not None])
        latest = rows.order_by("-pk")[:RELATED_LISTED]
        return list({row.pk: str(row) for row in (*chosen, *latest)}.items())


class LatestValues(admin.AllValuesFieldListFilter):
    """Filter by the values of the newest rows, and by any that the address names.

    Django's own reads every row of the table for its values, in a room of years many millions.
    """

    def __init__(
        self,
        field: Any,
        request: HttpRequest,
        params: Any,
        model: Any,
        model_admin: Any,
        field_path: str,
    ) -> None:
        super().__init__(field, request, params, model, model_admin, field_path)
        newest = model_admin.get_queryset(request).order_by("-pk")[:ROWS_OF_VALUES]
        values = newest.values_list(field_path, flat=True)
        choices: Any = sorted({*values, *(self.lookup_val or ())})
        self.lookup_choices = choices


class RoomAdminSite(admin.AdminSite):
    """Admin site on which every model, a library's too, has the declared lookups."""

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """Register models; an admin class of a library gets the base class in front."""
        wanted = admin_class or DeclaredLookups
        if not issubclass(wanted, DeclaredLookups):
            wanted = type(wanted.__name__, (DeclaredLookups, wanted), {"__module__": __name__})
        super().register(model_or_iterable, wanted, **options)

    def password_change(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> Any:
        """Lead to the page of the account, which counts wrong tries and mails a notice."""
        return redirect("account")


class RoomAdminConfig(AdminConfig):
    """Django's admin app on the site of the room."""

    default_site = "config.admin_site.RoomAdminSite"


def _path(declared: Any) -> str:
    """Return the field or parameter of one entry of `list_filter`."""
    if isinstance(declared, tuple | list):
        return str(declared[0])
    return str(getattr(declared, "parameter_name", declared))
