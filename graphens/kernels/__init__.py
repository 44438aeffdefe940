"""Compiled loops over labels: arrays in, arrays out. Import the modules inside functions, so that numba loads on use."""
