"""Labels: reading and encoding them, the `Ensemble`, and what every method gets of it."""
