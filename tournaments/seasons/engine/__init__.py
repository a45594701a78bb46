"""Rules of seasons: formulas of points, shared places, best results, ties (pure)."""
