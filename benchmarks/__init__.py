"""Measured figures: every script prints ratios against a baseline of the same run."""
