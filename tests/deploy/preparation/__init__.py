"""Tests of prepared databases: migrations, roles and their rights."""
