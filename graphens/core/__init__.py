"""The values that everything else is a function between."""
