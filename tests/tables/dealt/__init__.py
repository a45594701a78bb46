"""Tests of dealt cards."""
