"""Tests of long work in batches of ticks: large fields start and are refunded."""
