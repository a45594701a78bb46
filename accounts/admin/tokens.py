"""Read-only admin of access tokens."""

from __future__ import annotations

from django.contrib import admin

from accounts.admin.read_only import ReadOnly
from accounts.models import AccessToken
from config.admin_site import DeclaredLookups


@admin.register(AccessToken)
class AccessTokenAdmin(ReadOnly, DeclaredLookups[AccessToken]):
    """Access tokens with rights and last use, never with their digests."""

    list_display = ("id", "user", "name", "scopes", "made_at", "expires_at", "used_at")
    list_select_related = ("user",)
    search_fields = ("=user__name",)
    fields = ("user", "name", "scopes", "made_at", "expires_at", "used_at", "revoked_at")
