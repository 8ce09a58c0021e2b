"""`zermelo completion`: commands, options, games and players by the Tab key."""

from __future__ import annotations

import sys
from typing import Literal


def completion(shell: Literal["bash", "zsh", "fish"], /) -> None:
    """Print a script that completes commands, options, games and players when you press Tab.

    Parameters
    ----------
    shell
        Your shell.
    """
    from zermelo.cli import app

    sys.stdout.write(app.generate_completion(shell=shell))
