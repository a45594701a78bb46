"""Users in the admin: PRO mark, ban, and play money as a gift with a reason."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from accounts.admin.credit import credit_page
from accounts.admin.links import link_page
from accounts.models import User
from accounts.users.welcome import welcome
from config.admin_site import DeclaredLookups


class NewUserForm(forms.ModelForm):
    """A user made by an operator, without a password: the player sets one by a link."""

    class Meta:
        model = User
        fields = ("name",)

    def save(self, commit: bool = True) -> User:
        """The user, who cannot log in before a password was set."""
        self.instance.set_unusable_password()
        return super().save(commit)


class ChangedUserForm(forms.ModelForm):
    """A user changed by an operator; the password is none of an operator's business."""

    class Meta:
        model = User
        exclude = ("password",)


@admin.register(User)
class UserAdmin(DeclaredLookups, DjangoUserAdmin):
    """Everybody who plays or runs the room; nobody is deleted, for the ledger names them."""

    form = ChangedUserForm
    add_form = NewUserForm
    ordering = ("name_key",)
    search_fields = ("name", "email")
    list_display = ("name", "is_pro", "is_bot", "is_active", "is_staff", "date_joined")
    list_filter = ("is_pro", "is_bot", "is_active", "is_staff", "groups")
    actions = ("credit", "ban", "unban")
    fieldsets = (
        (None, {"fields": ("name", "email", "language", "new_password")}),
        (_("Player"), {"fields": ("is_pro", "is_bot", "is_active")}),
        (_("Rights"), {"fields": ("is_staff", "is_superuser", "groups", "user_permissions")}),
        (_("Dates"), {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = ((None, {"fields": ("name",)}),)

    @admin.action(description=_("Credit play money"), permissions=["credit"])
    def credit(self, request: HttpRequest, queryset: QuerySet[User]) -> HttpResponse | None:
        """Ask for an amount and a reason, then book the gift."""
        return credit_page(self, request, queryset)

    @admin.action(description=_("Ban the selected users"), permissions=["change"])
    def ban(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        """Shut users out: their sessions end with the next request."""
        self._set_active(request, queryset, active=False, done=_("banned"))

    @admin.action(description=_("Lift the ban of the selected users"), permissions=["change"])
    def unban(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        """Let users in again."""
        self._set_active(request, queryset, active=True, done=_("ban lifted"))

    def _set_active(
        self, request: HttpRequest, users: QuerySet[User], *, active: bool, done: Any
    ) -> None:
        for user in users:
            if user != request.user and self.has_change_permission(request, user):
                user.is_active = active
                user.save(update_fields=["is_active"])
                self.log_change(request, user, str(done))
                self.message_user(request, f"{user.name}: {done}")

    def get_urls(self) -> list[URLPattern]:
        """Links for a new password have a page of their own."""
        link = path(
            "<int:pk>/link/", self.admin_site.admin_view(self.link), name="accounts_user_link"
        )
        return [link, *super().get_urls()]

    def link(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Hand over a link for a new password."""
        return link_page(self, request, pk)

    @admin.display(description=_("password"))
    def new_password(self, user: User) -> str:
        """The way to a link; nobody sees or sets a password here."""
        if user.pk is None:
            return "–"
        page = reverse("admin:accounts_user_link", args=[user.pk])
        return format_html('<a href="{}">{}</a>', page, _("Hand over a link for a new one"))

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> Any:
        """Nobody sets the password of somebody else."""
        raise PermissionDenied

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """A new player gets play money here as well."""
        super().save_model(request, obj, form, change)
        if not change:
            welcome(obj)

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Rights are given by superusers alone, else staff could make themselves one."""
        dates = ("last_login", "date_joined", "is_bot", "new_password")
        rights = ("is_staff", "is_superuser", "groups", "user_permissions")
        return dates if request.user.is_superuser else dates + rights

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Superusers alone touch other staff, whose password would give away their rights."""
        if obj is not None and obj.is_staff and obj != request.user:
            return bool(request.user.is_superuser)
        return super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Nobody; a ban is enough."""
        return False

    def has_credit_permission(self, request: HttpRequest) -> bool:
        """Whoever holds `accounts.credit_money`."""
        return request.user.has_perm("accounts.credit_money")
