"""How the tables of accounts came to be, in order."""
