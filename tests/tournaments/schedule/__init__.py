"""Tests of tournament options, structures and their contradictions."""
