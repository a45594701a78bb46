"""Tests of overlays."""
