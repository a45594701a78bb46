"""PostgreSQL beyond the queries of Django: addresses, statements built once, new models."""
