"""Pages of the documentation that are generated from the code, and the catalogs of its texts."""
