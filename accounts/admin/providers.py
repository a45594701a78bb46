"""Read-only admin of linked log-ins."""

from __future__ import annotations

from django.contrib import admin

from accounts.admin.read_only import ReadOnly
from accounts.providers.models import LinkedLogin
from config.admin_site import DeclaredLookups


@admin.register(LinkedLogin)
class LinkedLoginAdmin(ReadOnly, DeclaredLookups[LinkedLogin]):
    """Accounts with the providers that log them in."""

    list_display = ("id", "user", "provider", "linked_at", "used_at")
    list_select_related = ("user",)
    list_filter = ("provider",)
    search_fields = ("=user__name",)
    fields = ("user", "provider", "subject", "linked_at", "used_at")
