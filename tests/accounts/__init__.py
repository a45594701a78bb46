"""Tests of accounts: users, sessions and the ledger."""
