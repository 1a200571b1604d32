"""Measurements: `eval` of reading, asking and alerts, and `bench` of speed and size."""
