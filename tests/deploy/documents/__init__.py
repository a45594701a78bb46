"""Tests of written documents about the code."""
