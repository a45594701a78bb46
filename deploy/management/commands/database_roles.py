"""Print or make a role of the database for each kind of process, with its rights and its limit."""

from __future__ import annotations

import os
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import Error as DatabaseError
from django.db import connection
from psycopg import Error as ServerError

from config import environment
from config.postgres.process_rights import EVERY, PREFIX
from config.process.role_checks import stored_tables
from deploy.preparation import process_roles
from deploy.preparation.process_roles import ProcessRole, WrongLimit
from deploy.preparation.roles import NoRuntimeRole, as_owner

PASSWORD = "DATABASE_PASSWORD_"  # nosec B105
"""Beginning of the variables with the passwords, and with _FILE behind of those with their files.
"""


class Command(BaseCommand):
    """`manage.py database_roles`: as the owner of the database; repeating it changes nothing."""

    help = (
        "Print the database roles of the kinds of processes, with their rights and connection"
        " limits; with --execute make them, with the passwords of DATABASE_PASSWORD_KIND or"
        " DATABASE_PASSWORD_KIND_FILE."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options: numbers of processes, limits, names, execution."""
        number: dict[str, Any] = {
            "type": kind_and_number,
            "action": "append",
            "default": [],
            "metavar": "KIND=N",
        }
        parser.add_argument("--execute", action="store_true", help="make the roles, not print them")
        parser.add_argument("--prefix", default=PREFIX, help="beginning of their names (room_)")
        parser.add_argument("--processes", **number, help="processes of a kind on all machines")
        parser.add_argument("--limit", **number, help="connections of a kind, instead of its needs")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print or make the roles; nothing is changed when anything is wrong."""
        try:
            many, most = dict(options["processes"]), dict(options["limit"])
            roles = process_roles.plan(options["prefix"], many, most)
            with as_owner(environment.text("DATABASE_OWNER_URL", "")):
                if options["execute"]:
                    self._make(roles)
                else:
                    self._print(roles)
        except (WrongLimit, NoRuntimeRole) as problem:
            raise CommandError(str(problem)) from problem
        except (DatabaseError, ServerError) as refused:
            raise CommandError(f"The server refused: {refused}".strip()) from refused

    def _make(self, roles: list[ProcessRole]) -> None:
        passwords = {kind: password_of(kind) for kind in EVERY}
        for role in roles:
            if not passwords[role.kind] and not process_roles.is_known(role.name):
                name = PASSWORD + role.kind.upper()
                raise CommandError(
                    f"No password for the new role {role.name}: {name}_FILE or {name}."
                )
        for line in process_roles.execute(roles, passwords):
            self.stdout.write(line)

    def _print(self, roles: list[ProcessRole]) -> None:
        tables, database = stored_tables(), str(connection.settings_dict["NAME"])
        for role in roles:
            self.stdout.write(f"-- {role.kind}: at most {role.limit} connections")
            for line in process_roles.printed(role, tables, database):
                self.stdout.write(line)


def kind_and_number(text: str) -> tuple[str, int]:
    """Return kind and number of "web=2"."""
    kind, _, number = text.partition("=")
    if not number.isdecimal():
        raise ArgumentTypeError(f"{text!r} is not KIND=NUMBER")
    return kind, int(number)


def password_of(kind: str) -> str:
    """Return the password of a kind's role from its file or the environment; "" for none."""
    name = PASSWORD + kind.upper()
    path = os.environ.get(f"{name}_FILE", "")
    if not path:
        return os.environ.get(name, "")
    try:
        found = Path(path).read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{name}_FILE cannot be read: {error}") from error
    if not found:
        raise CommandError(f"{name}_FILE names an empty file: {path}")
    return found
