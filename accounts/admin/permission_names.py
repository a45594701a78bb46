"""Names of permissions in the forms of users and groups, in the language of the operator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.utils.translation import gettext

if TYPE_CHECKING:
    _Page = admin.ModelAdmin[Any]
    _Choices = forms.ModelMultipleChoiceField[Permission]
else:
    # Neither takes a parameter at run time.
    _Page, _Choices = object, forms.ModelMultipleChoiceField

VERBS = {"add": "Add", "change": "Change", "delete": "Delete", "view": "View"}
"""Words of Django's admin, which translates them, by the codes of the four permissions it makes."""


class PermissionChoices(_Choices):
    """Choice of permissions by their names in the language of the page."""

    def label_from_instance(self, obj: Permission) -> str:
        """Return the name of a permission; the database has it in English alone."""
        return permission_words(obj)


class NamedPermissions(_Page):
    """Mixin of an admin page that offers permissions by these names."""

    def formfield_for_manytomany(self, db_field: Any, request: Any = None, **kwargs: Any) -> Any:
        """Return the field of a list, with the kind of each permission read in the same query."""
        if db_field.remote_field.model is Permission:
            kwargs["form_class"] = PermissionChoices
            kwargs["queryset"] = Permission.objects.select_related("content_type")
        return super().formfield_for_manytomany(db_field, request, **kwargs)


def permission_words(permission: Permission) -> str:
    """Return what a permission is about and allows, translated."""
    verb, _, model = permission.codename.partition("_")
    is_djangos = verb in VERBS and model == permission.content_type.model
    name = VERBS[verb] if is_djangos else permission.name
    return f"{permission.content_type} | {gettext(name)}"
