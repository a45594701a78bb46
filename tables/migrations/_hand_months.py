"""SQL of the monthly partitions of hands, as the migrations set it; texts here never change.

A key of a hand is YYMM * 10^10 + a number that counts on: 26120000000042 is of December 2026 (UTC).
Keys of hands from before are below 10^10.
"""

from __future__ import annotations

BOUND = """
ALTER TABLE tables_hand ADD CONSTRAINT hand_before_months CHECK (id < 10000000000) NOT VALID
"""
VALID = "ALTER TABLE tables_hand VALIDATE CONSTRAINT hand_before_months"
"""Proof for the partition of before, made while play goes on: attaching reads no row then."""

KEYS = """
CREATE SEQUENCE tables_hand_key_seq;

CREATE FUNCTION hand_month_key(moment timestamptz) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    ((extract(year FROM moment AT TIME ZONE 'UTC')::bigint - 2000) * 100
     + extract(month FROM moment AT TIME ZONE 'UTC')::bigint) * 10000000000;

-- The owner's right to the sequence: processes of the release before were granted none.
CREATE FUNCTION hand_key() RETURNS bigint
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT hand_month_key(statement_timestamp())
         + nextval('tables_hand_key_seq'::regclass) % 10000000000
$$;
"""

PARENT = """
DO $$
DECLARE
    one record;
    refers text[] := ARRAY[]::text[];
    statement text;
BEGIN
    -- 1. The table of before becomes the partition of all its hands: no row moves.
    FOR one IN SELECT conrelid::regclass AS origin, conname, pg_get_constraintdef(oid) AS law
                 FROM pg_constraint WHERE confrelid = 'tables_hand'::regclass AND contype = 'f' LOOP
        EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', one.origin, one.conname);
        refers := refers || format('ALTER TABLE %s ADD CONSTRAINT %I %s',
                                   one.origin, one.conname, one.law);
    END LOOP;
    PERFORM setval('tables_hand_key_seq', coalesce(max(id), 0) + 1, false) FROM tables_hand;
    ALTER TABLE tables_hand ALTER id DROP IDENTITY IF EXISTS;
    ALTER TABLE tables_hand RENAME TO tables_hand_earlier;
    CREATE TABLE tables_hand (LIKE tables_hand_earlier INCLUDING CONSTRAINTS INCLUDING STORAGE)
        PARTITION BY RANGE (id);
    ALTER TABLE tables_hand DROP CONSTRAINT hand_before_months;
    ALTER TABLE tables_hand ALTER id SET DEFAULT hand_key();
    ALTER SEQUENCE tables_hand_key_seq OWNED BY tables_hand.id;

    -- 2. Indexes and references of the whole: those of the partition are taken over.
    FOR one IN SELECT i.indexrelid::regclass::text AS name, i.indisprimary AS is_key,
                      pg_get_indexdef(i.indexrelid) AS made
                 FROM pg_index i
                WHERE i.indrelid = 'tables_hand_earlier'::regclass
                  AND (i.indisprimary OR NOT i.indisunique) LOOP
        EXECUTE format('ALTER INDEX %s RENAME TO %I', one.name, one.name || '_earlier');
        IF one.is_key THEN
            EXECUTE format('ALTER TABLE tables_hand ADD CONSTRAINT %I PRIMARY KEY (id)', one.name);
        ELSE
            EXECUTE replace(one.made, 'tables_hand_earlier', 'tables_hand');
        END IF;
    END LOOP;
    FOR one IN SELECT conname, pg_get_constraintdef(oid) AS law FROM pg_constraint
                WHERE conrelid = 'tables_hand_earlier'::regclass AND contype = 'f' LOOP
        EXECUTE format('ALTER TABLE tables_hand ADD CONSTRAINT %I %s', one.conname, one.law);
    END LOOP;
    -- Up to the first month: no key lies between, so that lists in order of keys end early.
    EXECUTE format('ALTER TABLE tables_hand ATTACH PARTITION tables_hand_earlier'
                   ' FOR VALUES FROM (MINVALUE) TO (%s)', hand_month_key(now()));
    ALTER TABLE tables_hand_earlier DROP CONSTRAINT hand_before_months;
    CREATE TABLE tables_hand_other PARTITION OF tables_hand DEFAULT;
    ALTER TABLE tables_hand_other
        ADD CONSTRAINT tables_hand_other_settles_once UNIQUE (table_id, number);
    FOREACH statement IN ARRAY refers LOOP
        EXECUTE statement;
    END LOOP;

    -- 3. Processes of the release before play on: their rights are those on the whole.
    FOR one IN SELECT a.privilege_type AS verb, CASE a.grantee WHEN 0 THEN 'PUBLIC'
                      ELSE a.grantee::regrole::text END AS role
                 FROM pg_class, aclexplode(relacl) AS a
                WHERE oid = 'tables_hand_earlier'::regclass AND a.grantee <> relowner LOOP
        EXECUTE format('GRANT %s ON tables_hand TO %s', one.verb, one.role);
        EXECUTE format('REVOKE %s ON tables_hand_earlier FROM %s', one.verb, one.role);
    END LOOP;
END $$;
"""

MONTHS = """
CREATE FUNCTION make_hand_months(ahead integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET lock_timeout = '900ms' AS $$
DECLARE
    this_month timestamp := date_trunc('month', now() AT TIME ZONE 'UTC');
    oldest timestamp;
    day timestamp;
    name text;
    first bigint;
    after bigint;
    strays boolean;
    one record;
    refers text[];
    statement text;
    made integer := 0;
BEGIN
    IF ahead NOT BETWEEN 0 AND 24 THEN
        RAISE EXCEPTION '% months ahead: 0 to 24', ahead USING ERRCODE = 'numeric_value_out_of_range';
    END IF;
    -- Months in which nobody made a partition are made up for: there is no gap between any two.
    SELECT min(to_timestamp(right(c.relname, 6), 'YYYYMM')::timestamp) INTO oldest
      FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'tables_hand'::regclass AND c.relname ~ '^tables_hand_[0-9]{6}$';
    FOR day IN SELECT generate_series(least(oldest, this_month),
                                      this_month + make_interval(months => ahead),
                                      interval '1 month') LOOP
        name := 'tables_hand_' || to_char(day, 'YYYYMM');
        CONTINUE WHEN to_regclass(name) IS NOT NULL;
        first := hand_month_key(day AT TIME ZONE 'UTC');
        after := hand_month_key((day + interval '1 month') AT TIME ZONE 'UTC');
        -- Locks in the order of a settlement; shorter than the wait before a deadlock is looked for.
        LOCK TABLE tables_table IN SHARE ROW EXCLUSIVE MODE;
        LOCK TABLE tables_hand_other IN ACCESS EXCLUSIVE MODE;
        EXECUTE format('CREATE TABLE %I (LIKE tables_hand INCLUDING ALL)', name);
        EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I UNIQUE (table_id, number)',
                       name, name || '_settles_once');
        SELECT EXISTS (SELECT FROM tables_hand_other WHERE id >= first AND id < after) INTO strays;
        refers := ARRAY[]::text[];
        IF strays THEN
            -- Hands that were played without their month move into it, and what refers to them waits.
            FOR one IN SELECT conrelid::regclass AS origin, conname, pg_get_constraintdef(oid) AS law
                         FROM pg_constraint
                        WHERE confrelid = 'tables_hand'::regclass AND contype = 'f'
                          AND conparentid = 0 LOOP
                EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', one.origin, one.conname);
                refers := refers || format('ALTER TABLE %s ADD CONSTRAINT %I %s',
                                           one.origin, one.conname, one.law);
            END LOOP;
            EXECUTE format('INSERT INTO %I SELECT * FROM tables_hand_other'
                           ' WHERE id >= %s AND id < %s', name, first, after);
            DELETE FROM tables_hand_other WHERE id >= first AND id < after;
        END IF;
        EXECUTE format('ALTER TABLE tables_hand ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)',
                       name, first, after);
        FOREACH statement IN ARRAY refers LOOP
            EXECUTE statement;
        END LOOP;
        made := made + 1;
    END LOOP;
    RETURN made;
END $$;
SELECT make_hand_months(3);
"""

_MADE = "        made := made + 1;\n"

READABLE = MONTHS.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION", 1).replace(
    _MADE,
    """        -- Whoever reads the partition of all other hands takes dumps: a month is part of them.
        FOR one IN SELECT CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END AS role
                     FROM pg_class, aclexplode(relacl) AS a
                    WHERE oid = 'tables_hand_other'::regclass AND a.grantee <> relowner
                      AND a.privilege_type = 'SELECT' LOOP
            EXECUTE format('GRANT SELECT ON %I TO %s', name, one.role);
        END LOOP;
"""
    + _MADE,
    1,
)
"""Function that lets all roles that read the other hands read each new month, too."""

UNREADABLE = MONTHS.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION", 1)

READABLE_NOW = """
DO $$
DECLARE
    one record;
BEGIN
    FOR one IN SELECT month.oid::regclass AS name, CASE a.grantee WHEN 0 THEN 'PUBLIC'
                      ELSE a.grantee::regrole::text END AS role
                 FROM pg_class AS month, pg_class AS other, aclexplode(other.relacl) AS a
                WHERE month.oid IN (SELECT inhrelid FROM pg_inherits
                                     WHERE inhparent = 'tables_hand'::regclass)
                  AND month.relname ~ '^tables_hand_[0-9]{6}$'
                  AND other.oid = 'tables_hand_other'::regclass
                  AND a.grantee <> other.relowner AND a.privilege_type = 'SELECT' LOOP
        EXECUTE format('GRANT SELECT ON %s TO %s', one.name, one.role);
    END LOOP;
END $$;
"""
"""Statement that lets the same roles read the months that exist already."""
