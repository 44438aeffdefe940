"""Choosing and explaining: how many clusters, which method, which members, and why an object is where it is."""
