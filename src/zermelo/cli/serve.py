"""`zermelo serve`: games in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from zermelo.cli.leaving import leave_threads
from zermelo.cli.output import compiling, err, out, unicode


def serve(
    *,
    port: int = 8000,
    host: str | None = None,
    lan: Annotated[bool, Parameter(negative="")] = False,
    open: Annotated[bool, Parameter(negative="--no-open")] = True,
    run: Annotated[list[Path] | None, Parameter(negative="")] = None,
    game: Annotated[list[str] | None, Parameter(negative="")] = None,
) -> None:
    """Play, analyse and watch training in the browser. Ctrl-C ends it.

    Parameters
    ----------
    port
        Port; 0 takes any free one.
    host
        Address to listen on; unless given, only this computer can connect.
    lan
        Let other devices in your network connect: prints their address and a QR code.
    open
        Open the page in the browser.
    run
        Run directory to watch and to play against; repeatable.
    game
        Game file to play; repeatable.
    """
    import contextlib
    import logging
    import threading
    import webbrowser

    from zermelo.web.serving import prepare

    logging.basicConfig(format="%(message)s", level=logging.WARNING)
    with compiling():
        serving = prepare(port, host, lan, game, run)
        out.print(f"open {serving.address} in the browser; Ctrl-C ends", markup=False, soft_wrap=True)
        if serving.elsewhere is not None:
            out.print(f"on other devices: {serving.elsewhere}", markup=False, soft_wrap=True)
            _show_code(serving.elsewhere)
        if open:
            timer = threading.Timer(0.5, webbrowser.open, [serving.address])
            timer.daemon = True
            timer.start()
        with contextlib.suppress(KeyboardInterrupt):
            serving.run()
    err.print("ended")
    leave_threads()


def _show_code(address: str) -> None:
    """The address as a QR code, where a terminal can show it."""
    import io

    try:
        import segno
    except ModuleNotFoundError:
        return
    if not unicode(out):
        return
    text = io.StringIO()
    segno.make(address, error="l").terminal(out=text, compact=True)
    out.print(text.getvalue(), markup=False)
