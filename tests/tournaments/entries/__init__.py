"""Tests of registration, late registration and private tournaments."""
