"""Measuring how fast it is, on the machine that somebody has: `uac-nb bench …`."""
