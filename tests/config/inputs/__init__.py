"""Tests of config.inputs: whole numbers and free texts from outside."""
