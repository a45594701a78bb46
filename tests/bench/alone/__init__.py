"""Measurements in one process, with servers but without workers."""
