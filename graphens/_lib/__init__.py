"""What every room needs and what knows nothing of clusters: arrays, frames, features, memory, threads, files."""
