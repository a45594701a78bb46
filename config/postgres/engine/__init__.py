"""Django's backend for PostgreSQL, patient where a role has no connection left."""
