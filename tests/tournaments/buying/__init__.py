"""Tests of buying again: offers, re-buys, re-entries and add-ons."""
