"""Compiled loops over labels: arrays in, arrays out. Import them inside functions, so that numba loads on use."""
