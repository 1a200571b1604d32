"""Files that hold when others write beside us, and what this machine keeps to itself."""
