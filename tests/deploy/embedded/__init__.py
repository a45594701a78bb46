"""Tests of the embedded servers and their ports."""
