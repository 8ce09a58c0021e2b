"""The command line: the only place that prints."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NamedTuple

from cyclopts import App, CycloptsError, Group

import zermelo

HELP = """AlphaZero for the computer you have: play, train and measure board games.

A game is a name (connect4, othello:size=6), a file (mygame.py) or comes from
another library (openspiel:chess). A player is a name with options: az:sims=400,
uct:time=2, perfect, human. List them with `zermelo games`, `zermelo players`.

`zermelo COMMAND --help` shows the options of a command and an example. Most
commands take --json; --debug shows the traceback of an error.
"""


class Command(NamedTuple):
    """What is said of a command before its module is imported."""

    summary: str
    example: str
    details: str = ""

    @property
    def help(self) -> str:
        return "\n\n".join(filter(None, (self.summary, self.details, f"Example: {self.example}")))


GROUPS = {
    "Play": {
        "play": Command(
            "Play in the terminal, against the computer or another person.",
            "zermelo play connect4 --level 3",
            "Type a move, or ? for help. A game that you leave is saved; --resume continues it.",
        ),
        "serve": Command("Play, analyse and watch training in the browser.", "zermelo serve"),
        "analyse": Command("Rate every move of a position.", 'zermelo analyse connect4 --moves "4 4 3"'),
        "games": Command("List the games, or describe one.", "zermelo games othello:size=6"),
        "players": Command("List the players, or the options of one.", "zermelo players az"),
    },
    "Train": {
        "train": Command(
            "Learn a game by self-play. The same command resumes it.", "zermelo train connect4 --minutes 10"
        ),
        "report": Command("Write a run as one HTML page with charts.", "zermelo report runs/connect4"),
        "model": Command(
            "Show a network: its layers, speed and origin.", "zermelo model small --game connect4"
        ),
    },
    "Measure": {
        "match": Command(
            "Play two players against each other.",
            "zermelo match connect4 az uct:sims=1000 --games 20",
            "Each opening is played twice, with colours swapped. Ctrl-C shows the score so far.",
        ),
        "tournament": Command(
            "Rate several players, or the checkpoints of a run.",
            "zermelo tournament connect4 --with az --with uct:sims=1000 --with random",
            "Ctrl-C stops; finished pairings are kept (see --record), and the same command resumes.",
        ),
        "grade": Command(
            "Count a player's mistakes with an exact solver.",
            "zermelo grade connect4 az:sims=100 --sets begin-hard",
            "Ctrl-C shows the sets that are done.",
        ),
        "bench": Command("Measure how fast a game is on this machine.", "zermelo bench othello"),
        "reproduce": Command(
            "Measure a figure of the documentation again.", "zermelo reproduce perft.tictactoe.9"
        ),
    },
    "Games of your own": {
        "new": Command("Write a game file to start from.", "zermelo new mygame"),
        "check": Command(
            "Find mistakes in the rules of a game.",
            "zermelo check mygame.py",
            "Plays random games. The exit code is 1 if something is wrong. Ctrl-C shows what was found "
            "so far.",
        ),
        "perft": Command("Count lines of play, to compare rules.", "zermelo perft othello 8"),
    },
    "Other programs": {
        "records": Command(
            "Convert, show and draw game records (SGF, psq, WTHOR, GGF ...).",
            "zermelo records convert games.sgf games.jsonl",
        ),
        "gtp": Command("Be an engine for GTP programs such as Sabaki.", "zermelo gtp othello"),
        "gomocup": Command("Be a Gomoku engine for Piskvork.", "zermelo gomocup"),
        "completion": Command(
            "Print a completion script for your shell.",
            "source <(zermelo completion bash)",
            "It completes commands, options, games and players when you press Tab. In bash, put the "
            "example into ~/.bashrc. For zsh, write the script to a file _zermelo in a directory of "
            "$fpath; for fish, to ~/.config/fish/completions/zermelo.fish.",
        ),
    },
}

COMMANDS = {name: command for group in GROUPS.values() for name, command in group.items()}

app = App(
    name="zermelo",
    help=HELP,
    help_format="plaintext",
    version=zermelo.__version__,
    suppress_keyboard_interrupt=False,
    group_commands=Group("Options", sort_key=len(GROUPS)),
)
for _number, (_title, _commands) in enumerate(GROUPS.items()):
    _group = Group(_title, f"Example: {next(iter(_commands.values())).example}", sort_key=_number)
    for _place, (_name, _command) in enumerate(_commands.items()):
        _target = f"zermelo.cli.{_name}:{_name}"
        app.command(_target, name=_name, help=_command.help, group=_group, sort_key=_place)


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
        command = " ".join(["zermelo", *(error.command_chain or ())])
        return fail(f"{error} See: {command} --help")
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
