"""Speed of hands in one process, beside pokerkit."""
