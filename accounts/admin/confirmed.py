"""Admin pages whose forms ask for the password again: accounts, their rights, and groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin
from django.contrib.auth.models import Group
from django.http import HttpRequest, HttpResponse

from accounts.admin.permission_names import NamedPermissions
from accounts.pages.confirm import ask_again, is_confirmed
from config.admin_site import DeclaredLookups

if TYPE_CHECKING:
    _Page = admin.ModelAdmin[Any]
else:
    _Page = object  # takes no parameter at run time


class ConfirmedChanges(_Page):
    """Mixin that changes, adds and deletes nothing unless the password was shown lately."""

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        """Ask for the password again before a sent form is read."""
        if asked := asked_again(request):
            return asked
        return super().changeform_view(request, object_id, form_url, extra_context)

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> Any:
        """Ask for the password again before a row is deleted."""
        return asked_again(request) or super().delete_view(request, object_id, extra_context)


def asked_again(request: HttpRequest) -> HttpResponse | None:
    """Return the way to the page that asks for the password, None for forms that may go on."""
    if request.method != "POST" or is_confirmed(request):
        return None
    return ask_again(request, request.path)


admin.site.unregister(Group)


@admin.register(Group)
class ConfirmedGroupAdmin(NamedPermissions, ConfirmedChanges, DeclaredLookups[Group], GroupAdmin):
    """Groups of permissions."""

    actions = None
    """Deleting several at once would pass by the pages above."""
