"""Policy-value networks: their shape, their training form, their playing form, and their files."""

import os

# Threads of PyTorch that wait by sleeping: on cores that others use too, a step of learning with threads
# that spin was measured to take up to 17 times as long. It must be said before PyTorch is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
