"""The published tables, run again with the same protocol and set beside the published figures."""
