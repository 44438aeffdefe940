"""Odd calls without end: whatever is given, an answer or a GraphensError must come back.

``python -m tests.fuzz --minutes 30`` runs for long; test_slice.py runs a little of it, with a new seed every time.
"""
