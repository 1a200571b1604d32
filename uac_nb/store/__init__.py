"""One user's folder: log and project kept in step, one writer at a time, and what became of each message."""
