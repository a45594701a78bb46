"""Admin of users: PRO mark, ban, and credits of play money with a reason."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.admin import held_rights
from accounts.admin.confirmed import ConfirmedChanges, asked_again
from accounts.admin.credit import credit_page
from accounts.admin.factors import remove_factors
from accounts.admin.links import show_link
from accounts.admin.permission_names import NamedPermissions
from accounts.admin.person_steps import take_step
from accounts.admin.read_only import ReadOnly
from accounts.models import EmailAddress, User
from accounts.users import lost_factors, password_links
from accounts.users.welcome import welcome
from config.admin_site import DeclaredLookups

FLAGS = ("is_active", "is_staff", "is_superuser")
NAMES_SHOWN = 20
"""Users that the outcome of an action names; more are counted."""


class NewUserForm(forms.ModelForm[User]):
    """User created by an operator without a password; the player sets one by a link."""

    class Meta:
        model = User
        fields = ("name",)

    def save(self, commit: bool = True) -> User:
        """Return the user, who cannot log in before a password is set."""
        self.instance.set_unusable_password()
        return super().save(commit)


class ChangedUserForm(forms.ModelForm[User]):
    """User changed by an operator; the form has no password field.

    A flag that the operator leaves alone stays as it is, whoever changed it while the page was
    open: a page of before a ban does not lift it.
    """

    class Meta:
        model = User
        exclude = ("password",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in FLAGS:
            # A program may send the form without what a page showed: then every flag counts.
            is_shown = not self.is_bound or self.add_initial_prefix(name) in self.data
            if name in self.fields and is_shown:
                self.fields[name].show_hidden_initial = True

    def clean(self) -> dict[str, Any]:
        """Keep the flags that are sent as the page showed them."""
        given = super().clean() or self.cleaned_data
        for name in FLAGS:
            if name in self.fields and name not in self.changed_data:
                given[name] = getattr(self.instance, name)
        return given


class EmailAddressInline(ReadOnly, admin.TabularInline[EmailAddress, User]):
    """E-mail addresses of a user, shown to whoever may see the user; the owner changes them."""

    model = EmailAddress
    extra = 0
    fields = ("address", "is_primary", "confirmed_at")
    ordering = ("-is_primary", "pk")

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Return whether the operator may see users."""
        return any(request.user.has_perm(f"accounts.{verb}_user") for verb in ("view", "change"))


@admin.register(User)
class UserAdmin(NamedPermissions, ConfirmedChanges, DeclaredLookups[User], DjangoUserAdmin[User]):
    """Users of the room; none can be deleted because the ledger refers to them."""

    form = ChangedUserForm
    add_form = NewUserForm
    ordering = ("name_key",)
    search_fields = ("name", "email", "email_addresses__address")
    list_display = ("name", "is_pro", "is_bot", "is_active", "is_staff", "date_joined")
    list_filter = ("is_pro", "is_bot", "is_active", "is_staff", "groups")
    actions = ("credit", "ban", "unban")
    fieldsets = (
        (None, {"fields": ("name", "email", "language", "new_password", "lost_factors")}),
        (_("Player"), {"fields": ("is_pro", "is_bot", "is_active")}),
        (_("Rights"), {"fields": ("is_staff", "is_superuser", "groups", "user_permissions")}),
        (_("Dates"), {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = ((None, {"fields": ("name",)}),)

    @admin.action(description=_("Credit play money"), permissions=["credit"])
    def credit(self, request: HttpRequest, queryset: QuerySet[User]) -> HttpResponse | None:
        """Ask for an amount and a reason, then book the credit."""
        return credit_page(self, request, queryset)

    @admin.action(description=_("Ban the selected users"), permissions=["change"])
    def ban(self, request: HttpRequest, queryset: QuerySet[User]) -> HttpResponse | None:
        """Ban users; their sessions end with the next request."""
        return self._set_active(request, queryset, active=False, done=_("banned"))

    @admin.action(description=_("Lift the ban of the selected users"), permissions=["change"])
    def unban(self, request: HttpRequest, queryset: QuerySet[User]) -> HttpResponse | None:
        """Lift the ban of users."""
        return self._set_active(request, queryset, active=True, done=_("ban lifted"))

    def _set_active(
        self, request: HttpRequest, users: QuerySet[User], *, active: bool, done: Any
    ) -> HttpResponse | None:
        if asked := asked_again(request):
            return asked
        chosen, left_out = [], []
        for user in users:
            if user == request.user or not self.has_change_permission(request, user):
                left_out.append(user)
                continue
            chosen.append(user)
            if user.is_active != active:
                user.is_active = active
                with transaction.atomic():
                    user.save(update_fields=["is_active"])
                    self.log_change(request, user, str(done))
        if chosen:
            self.message_user(request, f"{_names(chosen)}: {done}")
        if left_out:
            words = gettext("Left out, as you may not change them: %(names)s")
            self.message_user(request, words % {"names": _names(left_out)}, messages.WARNING)
        return None

    def get_urls(self) -> list[URLPattern]:
        """Add the pages of links for a new password, and of lost second factors."""
        link = path(
            "<int:pk>/link/", self.admin_site.admin_view(self.link), name="accounts_user_link"
        )
        factors = path(
            "<int:pk>/factors/",
            self.admin_site.admin_view(self.factors),
            name="accounts_user_factors",
        )
        return [link, factors, *super().get_urls()]

    def link(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Create a link for a new password and show it once."""
        return take_step(self, request, pk, password_links.may_hand_over, show_link)

    def factors(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Remove second factor and passkeys of a person who lost them."""
        return take_step(self, request, pk, lost_factors.may_remove, remove_factors)

    @admin.display(description=_("second factor"))
    def lost_factors(self, user: User) -> str:
        """Return the link to that page where there is something to remove."""
        if user._state.adding or not lost_factors.held(user):
            return "–"
        page = reverse("admin:accounts_user_factors", args=[user.pk])
        return format_html('<a href="{}">{}</a>', page, _("Remove it for who lost it"))

    @admin.display(description=_("password"))
    def new_password(self, user: User) -> str:
        """Return the link to that page; operators neither see nor set a password."""
        if user._state.adding:
            return "–"
        page = reverse("admin:accounts_user_link", args=[user.pk])
        return format_html('<a href="{}">{}</a>', page, _("Hand over a link for a new one"))

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> Any:
        """Refuse: operators never set the password of another user."""
        raise PermissionDenied

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Save the user and credit the first play money to a new one.

        Where the room wants two persons for rights, they stay as they are until another approves.
        """
        if change:
            held_rights.hold_rights(self, request, obj, form)
        super().save_model(request, obj, form, change)
        if not change:
            welcome(obj)

    def get_inlines(self, request: HttpRequest, obj: User | None) -> Any:
        """Return the list of addresses where a user is shown: no form carries rows of it."""
        return (EmailAddressInline,) if obj is not None and request.method == "GET" else ()

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Return the fields an operator may not change; only superusers grant rights.

        The e-mail address is the primary one of the list below, which the owner confirmed. Nobody
        shuts the own account out: the room would lose its last administrator by one click.
        """
        dates = ("last_login", "date_joined", "is_bot", "new_password", "lost_factors", "email")
        rights = ("is_staff", "is_superuser", "groups", "user_permissions")
        own = FLAGS if obj == request.user else ()
        return dates + own if request.user.is_superuser else (*dates, *rights, *own[:1])

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Return whether the operator may change the user: staff by superusers, a deleted one by
        nobody.
        """
        if obj is not None and obj.deleted_at is not None:
            return False
        if obj is not None and (obj.is_staff or obj.is_superuser) and obj != request.user:
            return bool(request.user.is_superuser)
        return super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Return False: users are banned, never deleted."""
        return False

    def has_credit_permission(self, request: HttpRequest) -> bool:
        """Return whether the operator has the permission `accounts.credit_money`."""
        return request.user.has_perm("accounts.credit_money")


def _names(users: list[User]) -> str:
    """Return the names of the first users, and how many follow."""
    rest = len(users) - NAMES_SHOWN
    return ", ".join(user.name for user in users[:NAMES_SHOWN]) + (f" +{rest}" if rest > 0 else "")
