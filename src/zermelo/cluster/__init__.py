"""More than one process: everything that knows of Ray."""
