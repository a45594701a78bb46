"""Tests of config.postgres: databases, statements, moments."""
