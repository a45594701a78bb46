"""Room on one machine from one command: processes started in order and kept alive."""
