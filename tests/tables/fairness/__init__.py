"""Tests of fair dealing: known answers, properties, and forged proofs."""
