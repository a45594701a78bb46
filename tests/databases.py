"""Empty the test database after a test that commits, in one statement instead of Django's flush.

Django truncates every table, and then makes content types and permissions anew with the signal
`post_migrate`: tenths of a second after each of a thousand tests. Here one function of the
database empties the tables that hold rows and compares what a flush leaves with a copy of it.
"""

from __future__ import annotations

from collections.abc import Callable
from unittest.mock import patch

import psycopg
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import connection
from django.test import TransactionTestCase
from psycopg import sql

SCHEMA = "kept_for_tests"
"""Schema of the function and of the copied rows of a flush."""

TRUNCATED_FROM_BYTES = 256 * 1024
"""Size from which a table is truncated, so that deleted rows do not pile up."""

# Rows are deleted without triggers: append-only tables refuse every deletion.
EMPTY = """
CREATE FUNCTION {schema}.empty() RETURNS boolean LANGUAGE plpgsql
SECURITY DEFINER SET session_replication_role = replica SET search_path = public AS $$
DECLARE
    name text;
    holds_rows boolean;
    differs boolean;
    restored boolean := false;
BEGIN
    LOCK TABLE {tables} IN EXCLUSIVE MODE;
    FOREACH name IN ARRAY {emptied}::text[] LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM %I)', name) INTO holds_rows;
        IF coalesce((SELECT sum(pg_relation_size(relid))
                       FROM pg_partition_tree(quote_ident(name)::regclass)),
                    pg_relation_size(quote_ident(name))) >= {large} THEN
            EXECUTE format('TRUNCATE %I CASCADE', name);
        ELSIF holds_rows THEN
            EXECUTE format('DELETE FROM %I', name);
        END IF;
    END LOOP;
    FOREACH name IN ARRAY {kept}::text[] LOOP
        EXECUTE format('SELECT EXISTS ((TABLE %1$I EXCEPT ALL TABLE {schema}.%1$I)
            UNION ALL (TABLE {schema}.%1$I EXCEPT ALL TABLE %1$I))', name) INTO differs;
        IF differs THEN
            EXECUTE format('DELETE FROM %I', name);
            EXECUTE format('INSERT INTO %1$I TABLE {schema}.%1$I', name);
            restored := true;
        END IF;
    END LOOP;
    RETURN restored;
END $$
"""


class Emptying:
    """Fast flush: each database is flushed once by Django, and the result is copied and
    repeated.
    """

    def __init__(self, keeper_url_of: Callable[[str], str]) -> None:
        self.keeper_url_of = keeper_url_of
        self.known: set[str] = set()

    def install(self) -> None:
        """Replace the flush after each committing test."""

        def _fixture_teardown(case: TransactionTestCase) -> None:
            self.empty()

        patch.object(TransactionTestCase, "_fixture_teardown", _fixture_teardown).start()

    def empty(self) -> None:
        """Empty the database to the state after a flush."""
        name = connection.settings_dict["NAME"]
        if name not in self.known:
            call_command("flush", verbosity=0, interactive=False)
            self._learn(name)
            self.known.add(name)
            return
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {SCHEMA}.empty()")
            if cursor.fetchone()[0]:
                ContentType.objects.clear_cache()

    def _learn(self, name: str) -> None:
        """Copy the rows of a flushed database, and create the function that restores them."""
        tables = connection.introspection.django_table_names(
            only_existing=True, include_views=False
        )
        schema = sql.Identifier(SCHEMA)
        with psycopg.connect(self.keeper_url_of(name), autocommit=True) as keeper:
            keeper.execute(sql.SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(schema))
            keeper.execute(sql.SQL("CREATE SCHEMA {}").format(schema))
            keeper.execute(
                sql.SQL("GRANT USAGE ON SCHEMA {} TO {}").format(
                    schema, sql.Identifier(connection.settings_dict["USER"])
                )
            )
            kept = [table for table in tables if _holds_rows(keeper, table)]
            for table in kept:
                copy = sql.SQL("CREATE TABLE {}.{} AS TABLE {}")
                keeper.execute(copy.format(schema, sql.Identifier(table), sql.Identifier(table)))
            keeper.execute(
                sql.SQL(EMPTY).format(
                    schema=schema,
                    tables=sql.SQL(", ").join(map(sql.Identifier, tables)),
                    emptied=sql.Literal([table for table in tables if table not in kept]),
                    kept=sql.Literal(kept),
                    large=sql.Literal(TRUNCATED_FROM_BYTES),
                )
            )


def _holds_rows(keeper: psycopg.Connection, table: str) -> bool:
    asked = sql.SQL("SELECT EXISTS (SELECT FROM {})").format(sql.Identifier(table))
    (found,) = keeper.execute(asked).fetchone() or (False,)
    return bool(found)
