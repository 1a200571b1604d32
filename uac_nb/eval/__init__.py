"""Measuring how well a reader understands talk, against what was meant by it: `uac-nb eval told`."""
