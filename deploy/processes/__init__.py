"""The processes of a room on this machine: which there are, and how they are kept alive."""
