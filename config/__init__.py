"""Settings, doors to the outside (clock, chance, servers) and the entries of the processes."""
