"""The command line: the only place that prints."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from cyclopts import App, CycloptsError

import zermelo

HELP = """AlphaZero for the computer you have.

A game is named connect4, othello:size=6, path/to/mygame.py, openspiel:hex(board_size=5) ...
A player is named random, uct:sims=400 ...

Commands that yield figures take --json. --debug shows the traceback of an error.
"""

COMMANDS = {
    "games": "List the games there are, or tell everything about one.",
    "new": "Write a game file to start from.",
    "check": "Play random games and say what is wrong with the rules.",
    "play": "Play in the terminal, against a player or another person.",
    "train": "Learn a game by self-play; the same command goes on where it stopped.",
    "match": "Play games between two players and say who is stronger.",
    "tournament": "Let players and the versions of a run play each other, and rate them.",
    "grade": "Count a player's mistakes in positions that were solved.",
    "analyse": "Show what a player thinks of every move in a position.",
    "serve": "Play, analyse and watch in the browser.",
    "records": "Convert, show and draw games in files: JSON lines, SGF, psq, WTHOR, GGF, move strings.",
    "gtp": "Play for another program, such as Sabaki, that speaks GTP.",
    "gomocup": "Play Gomoku for Piskvork and other managers of Gomocup.",
    "report": "Write what a run has learnt as one page, with pictures.",
    "model": "Show the layers of a network, how fast it is, and where it came from.",
    "perft": "Count lines of play, the classic proof that rules are right.",
    "bench": "Measure how fast a game is on this machine.",
    "reproduce": "Measure a figure of the documentation again, and show both.",
}

app = App(
    name="zermelo",
    help=HELP,
    help_format="plaintext",
    version=zermelo.__version__,
    suppress_keyboard_interrupt=False,
)
for _name, _help in COMMANDS.items():
    app.command(f"zermelo.cli.{_name}:{_name}", name=_name, help=_help)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command; exit code 2 for whatever the user has to mend."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in words
    words = [word for word in words if word != "--debug"]
    try:
        code = app(words, exit_on_error=False, print_error=False, result_action="return_value")
    except BrokenPipeError:  # whoever read the output has seen enough
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 (nothing is written at the exit)
        code = 0
    except Exception as error:
        if debug:
            raise
        code = _explain(error, words)
    except KeyboardInterrupt:
        from zermelo.cli.output import err

        err.print("interrupted")
        code = 130
    sys.stdout.flush()
    raise SystemExit(code or 0)


def _explain(error: Exception, words: Sequence[str]) -> int:
    from zermelo.cli.output import fail
    from zermelo.errors import MissingExtra, ZermeloError

    if isinstance(error, ModuleNotFoundError):
        error = MissingExtra.of(f"zermelo {words[0]}", error) or error

    if isinstance(error, CycloptsError):
        return fail(f"{error} See: zermelo --help")
    if isinstance(error, ZermeloError):
        return fail(str(error))
    if isinstance(error, OSError):
        return fail(_trouble(error))
    return fail(f"{type(error).__name__}: {error} (this is a bug; --debug shows where)")


def _trouble(error: OSError) -> str:
    """What the system says about a file, without its number."""
    if error.filename is None or error.strerror is None:
        return str(error)
    known = {
        FileNotFoundError: "there is no file `{}`",
        IsADirectoryError: "`{}` is a directory; give a file",
        PermissionError: "you have no permission for `{}`",
        FileExistsError: "`{}` exists already",
    }
    other = f"`{{}}`: {error.strerror.lower()}"
    return known.get(type(error), other).format(error.filename)
