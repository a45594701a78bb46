"""Tests of config.files: pictures and the storage of files."""
