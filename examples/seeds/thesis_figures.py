"""The figures and tables of text 000 that take minutes, all in one directory.

python examples/seeds/thesis_figures.py

Figure 2.2 (bandits), 5.1 (UCT), 5.2 and 5.4 (training), 5.3 (what the network thinks, after that training)
and table 5.2 (hyperparameters). Table 5.5 needs a trained network: connect4_matches.py.
"""

from __future__ import annotations

from collections.abc import Sequence

import bandits
import draws_in_training
import heat_maps
import hyperparameters
import uct_iterations
from experiment import Arguments


def main(words: Sequence[str] | None = None) -> None:
    """One after the other, with the same words."""
    chosen = Arguments(__doc__).read(words)
    given = ["--out", str(chosen.out), "--seed", str(chosen.seed)]
    given += [f"--{name}" for name in ("quick", "json") if getattr(chosen, name)]
    model = ["--model", str(chosen.out / draws_in_training.MODEL)]
    for part, more in (
        (bandits, []),
        (uct_iterations, []),
        (draws_in_training, []),
        (heat_maps, model),
        (hyperparameters, []),
    ):
        if not chosen.json:
            print(f"\n## {(part.__doc__ or '').splitlines()[0]}")
        part.main([*given, *more])


if __name__ == "__main__":
    main()
