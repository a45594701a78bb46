"""Tests of the project against real servers."""
