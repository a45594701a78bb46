"""Tests of mail and addresses."""
