"""Settings, access to time, randomness and servers, and the entry points of the processes."""
