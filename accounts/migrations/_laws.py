"""Laws that PostgreSQL itself keeps, whoever writes to it, as the migrations of accounts set them.

A later change of a law is a migration with a text of its own; texts here never change.
"""

from __future__ import annotations

APPEND_ONLY = """
CREATE FUNCTION ledger_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the ledger is append-only: % on %', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER transfer_append_only BEFORE UPDATE OR DELETE ON accounts_transfer
    FOR EACH ROW EXECUTE FUNCTION ledger_append_only();
CREATE TRIGGER posting_append_only BEFORE UPDATE OR DELETE ON accounts_posting
    FOR EACH ROW EXECUTE FUNCTION ledger_append_only();
CREATE TRIGGER account_keeps_its_owner BEFORE UPDATE ON accounts_account
    FOR EACH ROW WHEN ((OLD.kind, OLD.user_id, OLD.ref)
        IS DISTINCT FROM (NEW.kind, NEW.user_id, NEW.ref))
    EXECUTE FUNCTION ledger_append_only();
"""

ZERO_SUM = """
CREATE FUNCTION ledger_assert_zero_sum(the_transfer bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    total numeric;
    lines bigint;
BEGIN
    SELECT coalesce(sum(amount), 0), count(*) INTO total, lines
        FROM accounts_posting WHERE transfer_id = the_transfer;
    IF total <> 0 OR lines < 2 THEN
        RAISE EXCEPTION 'transfer % sums to % over % postings', the_transfer, total, lines
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
END $$;
CREATE FUNCTION ledger_assert_balance(the_account bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    held bigint;
    booked bigint;
BEGIN
    SELECT balance INTO held FROM accounts_account WHERE id = the_account;
    SELECT balance_after INTO booked FROM accounts_posting
        WHERE account_id = the_account ORDER BY id DESC LIMIT 1;
    IF held <> coalesce(booked, 0) THEN
        RAISE EXCEPTION 'account % holds % but % is booked', the_account, held, booked
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
END $$;
"""

AT_COMMIT = """
CREATE FUNCTION ledger_check_transfer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM ledger_assert_zero_sum(NEW.id);
    RETURN NULL;
END $$;
CREATE FUNCTION ledger_check_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM ledger_assert_balance(NEW.id);
    RETURN NULL;
END $$;
CREATE FUNCTION ledger_check_posting() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    before bigint;
BEGIN
    PERFORM ledger_assert_zero_sum(NEW.transfer_id);
    SELECT balance_after INTO before FROM accounts_posting
        WHERE account_id = NEW.account_id AND id < NEW.id ORDER BY id DESC LIMIT 1;
    IF coalesce(before, 0) + NEW.amount <> NEW.balance_after THEN
        RAISE EXCEPTION 'posting % of account %: % + % is not %',
            NEW.id, NEW.account_id, before, NEW.amount, NEW.balance_after
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    PERFORM ledger_assert_balance(NEW.account_id);
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER transfer_zero_sum AFTER INSERT ON accounts_transfer
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_check_transfer();
CREATE CONSTRAINT TRIGGER posting_zero_sum AFTER INSERT ON accounts_posting
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_check_posting();
CREATE CONSTRAINT TRIGGER account_booked AFTER INSERT OR UPDATE OF balance ON accounts_account
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_check_account();
"""

LEDGER = APPEND_ONLY + ZERO_SUM + AT_COMMIT
"""Append-only rows, transfers that sum to zero, balances that equal what is booked."""

NO_LEDGER = """
DROP TRIGGER account_booked ON accounts_account;
DROP TRIGGER posting_zero_sum ON accounts_posting;
DROP TRIGGER transfer_zero_sum ON accounts_transfer;
DROP TRIGGER account_keeps_its_owner ON accounts_account;
DROP TRIGGER posting_append_only ON accounts_posting;
DROP TRIGGER transfer_append_only ON accounts_transfer;
DROP FUNCTION ledger_check_posting(), ledger_check_account(), ledger_check_transfer(),
    ledger_assert_balance(bigint), ledger_assert_zero_sum(bigint), ledger_append_only();
"""

# After the row: an insert that waited for the unique name sees what was committed meanwhile.
RETIRED_NAMES = """
CREATE FUNCTION name_not_retired() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM accounts_retiredname
            WHERE digest = encode(sha256(convert_to(NEW.name_key, 'UTF8')), 'hex')) THEN
        RAISE EXCEPTION 'the name belonged to a deleted account'
            USING ERRCODE = 'unique_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER name_not_retired_when_made AFTER INSERT ON accounts_user
    FOR EACH ROW EXECUTE FUNCTION name_not_retired();
CREATE TRIGGER name_not_retired_when_changed AFTER UPDATE OF name_key ON accounts_user
    FOR EACH ROW WHEN (OLD.name_key IS DISTINCT FROM NEW.name_key)
    EXECUTE FUNCTION name_not_retired();
"""

NO_RETIRED_NAMES = """
DROP TRIGGER name_not_retired_when_made ON accounts_user;
DROP TRIGGER name_not_retired_when_changed ON accounts_user;
DROP FUNCTION name_not_retired();
"""
