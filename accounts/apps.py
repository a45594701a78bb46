"""The Django app that holds users and the ledger."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    """App of users, their sessions and the double-entry ledger (A-01)."""

    name = "accounts"
    verbose_name = _("accounts")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register log-ins, rows to seal, kinds that age, and clubs with their pictures."""
        from django.contrib import admin

        from accounts.clubs import pictures, profiles
        from accounts.ledger import references, seals
        from accounts.ledger.seals import Sealed
        from accounts.mail import outgoing
        from accounts.pages.forms import AdminLoginForm
        from accounts.pages.seen import announce_logins
        from accounts.retention import kinds
        from accounts.stored_files import folders
        from accounts.stored_files.retention import OrphanFiles
        from accounts.users import newcomers, pruning

        announce_logins()
        kinds.register(*pruning.KINDS, outgoing.ENDED_MAILS, newcomers.COUNTS, OrphanFiles())
        admin.site.login_form = AdminLoginForm
        when = "extract(epoch from {})".format
        seals.register(
            Sealed("transfers", "accounts_transfer", ("id", "key", "kind", "memo", when("created")))
        )
        seals.register(
            Sealed(
                "postings",
                "accounts_posting",
                ("id", "transfer_id", "account_id", "amount", "balance_after"),
            )
        )
        seals.register(
            Sealed(
                "admin",
                "django_admin_log",
                (
                    *("id", "user_id", "content_type_id", "object_id", "object_repr"),
                    *("action_flag", "change_message", when("action_time")),
                ),
            )
        )
        columns = ("id", "club_id", "actor_id", "subject_id", "action", "details")
        seals.register(Sealed("club_audit", "accounts_clubauditrow", (*columns, when("at"))))
        references.register("club", profiles.references)
        folders.register(folders.StoredFolder(pictures.FOLDER.name, pictures.named))
