"""Laws of the log that PostgreSQL itself keeps, whoever writes to it.

A later change of a law is a migration with a text of its own; texts here never change.
"""

from __future__ import annotations

APPEND_ONLY = """
CREATE FUNCTION fairlog_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the log is append-only: % on %', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER leaf_stays BEFORE DELETE ON fairlog_logleaf
    FOR EACH ROW EXECUTE FUNCTION fairlog_append_only();
CREATE TRIGGER leaf_placed_once BEFORE UPDATE ON fairlog_logleaf
    FOR EACH ROW WHEN (OLD.index IS NOT NULL
        OR (OLD.deck_id, OLD.kind) IS DISTINCT FROM (NEW.deck_id, NEW.kind))
    EXECUTE FUNCTION fairlog_append_only();
CREATE TRIGGER tile_stays BEFORE DELETE ON fairlog_logtile
    FOR EACH ROW EXECUTE FUNCTION fairlog_append_only();
CREATE TRIGGER tile_only_grows BEFORE UPDATE ON fairlog_logtile
    FOR EACH ROW WHEN (substring(NEW.hashes FOR octet_length(OLD.hashes)) <> OLD.hashes)
    EXECUTE FUNCTION fairlog_append_only();
CREATE TRIGGER head_never_shrinks BEFORE UPDATE ON fairlog_logday
    FOR EACH ROW WHEN (NEW.size < OLD.size) EXECUTE FUNCTION fairlog_append_only();
"""

# Places are numbered from 0 without a gap. Only leaves that get their place are looked at.
WITHOUT_GAPS = """
CREATE FUNCTION fairlog_follows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM fairlog_logleaf WHERE index = NEW.index - 1) THEN
        RAISE EXCEPTION 'the log has no leaf before %', NEW.index
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER leaf_follows AFTER INSERT OR UPDATE ON fairlog_logleaf
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.index > 0)
    EXECUTE FUNCTION fairlog_follows();
"""

LOG = APPEND_ONLY + WITHOUT_GAPS

NO_LOG = """
DROP TRIGGER leaf_follows ON fairlog_logleaf;
DROP FUNCTION fairlog_follows();
DROP TRIGGER head_never_shrinks ON fairlog_logday;
DROP TRIGGER tile_only_grows ON fairlog_logtile;
DROP TRIGGER tile_stays ON fairlog_logtile;
DROP TRIGGER leaf_placed_once ON fairlog_logleaf;
DROP TRIGGER leaf_stays ON fairlog_logleaf;
DROP FUNCTION fairlog_append_only();
"""
