"""Policy-value networks: their shape, their training form, their playing form, and their files."""

import os

# How long threads of PyTorch spin for each other before they sleep, set before PyTorch is loaded. With two
# cores, a training step took 70 ms on one thread, and on two threads (idle; beside a busy process): 43 and
# 430 ms with PyTorch's default, 75 and 128 ms without spinning, 43 and 180 ms with this count. The learner
# falls back to one thread where that is faster (`learning.learner.ThreadCount`).
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("GOMP_SPINCOUNT", "3000")
