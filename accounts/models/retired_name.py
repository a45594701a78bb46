"""Names of deleted accounts, which nobody else gets."""

from __future__ import annotations

from hashlib import sha256

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.names import fold


class RetiredName(models.Model):
    """Digest of the folded name of a deleted account; a trigger keeps the name from all users.

    The digest names nobody by itself, but anyone who reads the database can test a guess.
    """

    digest = models.CharField(primary_key=True, max_length=64)

    class Meta:
        verbose_name = _("retired name")
        verbose_name_plural = _("retired names")

    def __str__(self) -> str:
        return self.digest

    @classmethod
    def retire(cls, name: str) -> None:
        """Keep a name from every user that is made or renamed from now on."""
        cls.objects.get_or_create(digest=_digest(name))

    @classmethod
    def holds(cls, name: str) -> bool:
        """Return whether a name belonged to a deleted account."""
        return cls.objects.filter(digest=_digest(name)).exists()


def _digest(name: str) -> str:
    """Return the digest that the trigger `name_not_retired` computes of `name_key` as well."""
    return sha256(fold(name).encode()).hexdigest()
