"""Tests of records of finished hands: parts, keys by month, boxes."""
