"""Measuring how well a reader understands talk: against what was meant by it, and by questions that others published."""
