"""Add pages of the admin that tell a refusal after the check of their form in words."""

from __future__ import annotations

from typing import Any, TypeVar

from django.contrib import messages
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from accounts.refusals import words_of
from config.admin_site import DeclaredLookups
from config.refusals import Refusal

Row = TypeVar("Row", bound=Model)


class RefusedAdds(DeclaredLookups[Row]):
    """Page whose row may be refused by the room although its form was right a moment ago."""

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Add a row; one that the room refuses leads to the list with the reason."""
        try:
            return super().add_view(request, form_url, extra_context)
        except Refusal as refusal:
            messages.error(request, words_of(refusal))
            page = f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist"
            return HttpResponseRedirect(reverse(page))
