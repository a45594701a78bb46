"""Browser tests of fair dealing: cuts, notes, proofs and the log."""
