"""The values that all functions of the library take and return."""
