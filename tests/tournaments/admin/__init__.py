"""Tests of tournaments in the admin."""
