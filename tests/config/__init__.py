"""Tests of config: front door, settings, catalogs and health."""
