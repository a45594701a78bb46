"""Pages of seasons: lists and tables for readers, forms for managers and organisers."""
