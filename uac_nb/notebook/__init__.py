"""The notebook's edge: magics, widgets, generated cells, and notebooks run as regression tests."""
