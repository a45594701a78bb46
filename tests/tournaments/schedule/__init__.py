"""Tests of what is offered: options, structures and their contradictions."""
