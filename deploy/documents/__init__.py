"""Generated documentation pages, and the translation catalogs."""
