"""The shell's edge: the same verbs as the API."""
