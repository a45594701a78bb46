"""User model: unique name, PRO mark, bot mark."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, BaseUserManager
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Func, Value
from django.db.models.functions import Lower
from django.db.models.lookups import Exact
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models.retired_name import RetiredName
from accounts.names import ALIKE, SEEN_AS, allowed, fold, long_enough, normal
from accounts.research.mark import validate_person
from accounts.research.refusals import NoPeople
from config import limits


def look_of(name: Any) -> Lower:
    """Return the expression of how a name looks: equal for names that are read as one."""
    return Lower(Func(name, Value(ALIKE), Value(SEEN_AS), function="TRANSLATE"))


class UserManager(BaseUserManager["User"]):
    """Manager that creates users and looks names up without regard to case."""

    use_in_migrations = True

    def create_user(self, name: str, password: str | None = None, **fields: Any) -> User:
        """Create a user, with an unusable password when none is given."""
        user: User = self.model(name=normal(name), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, name: str, password: str | None = None, **fields: Any) -> User:
        """Create a user with all permissions in the admin."""
        return self.create_user(name, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> User:
        """Return the user of a name, without regard to case."""
        return self.get(name_key=fold(username or ""))

    def alike(self, name: str) -> models.QuerySet[User]:
        """Return the users whose names are read as this one, by an index."""
        return self.filter(Exact(look_of(F("name")), look_of(Value(name))))


class NameKeyField(models.CharField[str, str]):
    """Folded name, derived at every write so that no caller can forget it."""

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        """Derive the key from the name that is written."""
        # The field belongs to User alone.
        key = fold(model_instance.name)  # type: ignore[attr-defined]
        setattr(model_instance, self.attname, key)
        return key


class User(AbstractUser):
    """Player, bot or operator; `is_active` False is a ban, or a deletion by `deleted_at`."""

    # Django lets a subclass remove fields by None; its stubs do not.
    username = None  # type: ignore[assignment]
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]

    name = models.CharField(_("name"), max_length=limits.NAME_MAX_CHARACTERS, unique=True)
    name_key = NameKeyField(
        _("name, folded"), max_length=60, unique=True, blank=True, editable=False
    )
    is_pro = models.BooleanField(
        _("PRO"), default=False, help_text=_("Carries a PRO bounty where the room pays one.")
    )
    is_bot = models.BooleanField(_("bot"), default=False)
    language = models.CharField(
        _("language"),
        max_length=8,
        blank=True,
        default="",
        help_text=_("Of mails and messages; empty: that of the page at the first log-in."),
    )
    deleted_at = models.DateTimeField(_("deleted at"), null=True, editable=False)

    # This manager looks names up without regard to case.
    objects = UserManager()  # type: ignore[assignment,misc]

    USERNAME_FIELD = "name"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        verbose_name = _("user")
        verbose_name_plural = _("users")
        indexes: ClassVar = [models.Index(look_of(F("name")), name="user_look")]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """Apply the rules for names in forms that write users directly (the admin)."""
        if not self.is_staff:
            try:
                validate_person(is_bot=self.is_bot)
            except NoPeople as refusal:
                raise ValidationError(gettext(refusal.sentence), code=refusal.code) from refusal
        self.name = normal(self.name)
        self.email = type(self).objects.normalize_email(self.email)
        if not (long_enough(self.name) and allowed(self.name)):
            raise ValidationError({"name": _("This name is not allowed.")}, code="name")
        others = type(self).objects.exclude(pk=self.pk)
        if others.filter(name_key=fold(self.name)).exists() or RetiredName.holds(self.name):
            raise ValidationError({"name": _("This name is taken.")}, code="name_taken")

    def get_full_name(self) -> str:
        """Return the name, the only one a user has."""
        return self.name

    def get_short_name(self) -> str:
        """Return the name, the only one a user has."""
        return self.name
