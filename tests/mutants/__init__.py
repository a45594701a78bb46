"""Small changes of the code, each of which a named selection of tests must notice."""
