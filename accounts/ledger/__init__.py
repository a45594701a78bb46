"""Ledger: transfers, proof, seals, statements and promotions."""
