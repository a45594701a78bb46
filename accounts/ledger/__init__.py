"""The ledger: transfers, proof, seals, statements and promotions."""
