"""A whole room in one process under a clock of its own, with faults, from one seed."""
