"""Catalogs of PostgreSQL for a database of the room, and the rows that migrations wrote."""

from __future__ import annotations

import psycopg
from psycopg import sql

# PostgreSQL 18 also lists NOT NULL as constraints, under the name that a column had when it was
# made; nothing asks for that name, and `columns` says which are NOT NULL.
CATALOGS = {
    "tables": """
        SELECT relname, relkind, pg_get_userbyid(relowner), relrowsecurity, reloptions,
            pg_get_expr(relpartbound, oid)
        FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'S', 'v', 'm')
    """,
    "privileges": """
        SELECT relname, acl.grantee::regrole::text, acl.privilege_type
        FROM pg_class, aclexplode(coalesce(relacl, acldefault(
            CASE relkind WHEN 'S' THEN 's'::"char" ELSE 'r'::"char" END, relowner))) AS acl
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'S')
    """,
    "columns": """
        SELECT relname, attname, format_type(atttypid, atttypmod), attnotnull, attidentity,
            attgenerated, attcollation::regcollation::text, attcompression,
            pg_get_expr(adbin, adrelid)
        FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
            LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND attnum > 0
            AND NOT attisdropped
    """,
    "sequences": """
        SELECT seqrelid::regclass::text, seqtypid::regtype::text, seqstart, seqincrement, seqmin,
            seqmax, seqcycle, coalesce(pg_sequence_last_value(seqrelid), 0) >= seqstart
        FROM pg_sequence
    """,
    "constraints": """
        SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid), condeferrable,
            condeferred, convalidated
        FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
    """,
    "indexes": "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
    "triggers": """
        SELECT pg_get_triggerdef(oid), tgenabled FROM pg_trigger WHERE NOT tgisinternal
    """,
    "functions": """
        SELECT pg_get_functiondef(oid), proacl::text FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace
    """,
    "permissions": """
        SELECT app_label, model, codename, name
        FROM django_content_type AS kind LEFT JOIN auth_permission ON content_type_id = kind.id
    """,
}

NUMBERED = {"django_migrations", "django_content_type", "auth_permission", "auth_group_permissions"}
"""Tables whose keys hang on the order of migrations; `permissions` compares what they hold."""


def catalogs(opened: psycopg.Connection) -> dict[str, list[str]]:
    """Return the rows of each catalog, written and sorted."""
    return {
        name: sorted(map(repr, opened.execute(statement))) for name, statement in CATALOGS.items()
    }


def rows(opened: psycopg.Connection) -> dict[str, list[str]]:
    """Return the rows of each table that holds any, as JSON and sorted."""
    names = opened.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
    held = {}
    for (name,) in sorted(names):
        if name not in NUMBERED:
            asked = sql.SQL("SELECT to_jsonb(held)::text FROM {} AS held").format(
                sql.Identifier(name)
            )
            held[name] = sorted(text for (text,) in opened.execute(asked))
    return {name: found for name, found in held.items() if found}


def differences(one: dict[str, list[str]], other: dict[str, list[str]]) -> list[str]:
    """Return what stands in one of both alone, with its name before it."""
    return [
        f"{name}: {text}"
        for name in sorted({*one, *other})
        for text in sorted({*one.get(name, [])} ^ {*other.get(name, [])})
    ]
