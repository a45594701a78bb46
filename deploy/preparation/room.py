"""Preparation of a room: tables in PostgreSQL, translations, static files, an admin."""

from __future__ import annotations

import fcntl
import hashlib
import secrets
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from accounts.users import groups
from config.process import server_checks
from deploy.documents import catalogs
from deploy.preparation import process_roles, roles, taking_turns
from tables.records import hand_months
from tables.workers import key_files

ADMIN = "admin"


def migrate(owner_url: str = "") -> None:
    """Migrate the database to the newest schema as its owner; quick when it is current.

    The roles of the processes are then granted their rights. Without an `owner_url` one role owns
    and plays. Observers get the view permission of new models, too. Of several at once one works.
    Raises WrongServer for a PostgreSQL that is too old.
    """
    with roles.as_owner(owner_url), taking_turns.in_turn():
        connection.ensure_connection()
        server_checks.verify_database_version(connection.connection.info.server_version)
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            call_command("migrate", interactive=False, verbosity=0)
        else:
            executor.check_replacements()  # records squashed migrations whose parts are applied
        hand_months.make_soon()
        if owner_url:
            roles.grant_runtime()
            process_roles.renew()
        groups.keep_observers()
        groups.keep_commentators()


def make_keys() -> None:
    """Make the keys of a room in its own folder; elsewhere the operator puts the files.

    A key from the environment, or a path set by the operator, is left alone.
    """
    key_files.make_missing()


def gather_static(say: Callable[[str], None]) -> None:
    """Compile translations and collect static files when any of them changed.

    Waits while another process gathers into the same folder, as of two pods that start at once.
    """
    catalogs.compile_all()
    root = Path(settings.STATIC_ROOT)
    root.mkdir(parents=True, exist_ok=True)
    stamp = root / "gathered"
    digest = _static_digest()
    with (root / "gathering").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if stamp.exists() and stamp.read_text() == digest:
            return
        say("gathering static files")
        call_command("collectstatic", interactive=False, verbosity=0)
        stamp.write_text(digest)


def admin_login() -> tuple[str, str]:
    """Return a superuser login with a new password, stored nowhere in clear."""
    users = get_user_model().objects
    password = secrets.token_urlsafe(9)
    admin = users.filter(name_key=ADMIN).first()
    if admin is None:
        users.create_superuser(ADMIN, password)
    else:
        admin.set_password(password)
        admin.is_staff = admin.is_superuser = admin.is_active = True
        admin.save()
    return ADMIN, password


def _static_digest() -> str:
    seen = hashlib.sha256()
    for finder in get_finders():
        for path, storage in finder.list([]):
            found = Path(storage.path(path)).stat()
            seen.update(f"{path} {found.st_size} {found.st_mtime_ns}\n".encode())
    return seen.hexdigest()
