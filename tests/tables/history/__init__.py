"""Tests of client histories: honest ones pass, planted defects are found."""
