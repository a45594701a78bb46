"""Tests of offers, re-buys, re-entries and add-ons."""
