"""Simulation of a whole room in one process, on a virtual clock, with faults from one seed."""
