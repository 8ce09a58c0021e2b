"""Listening: sockets, addresses, and an end that is clean."""

from __future__ import annotations

import secrets
import socket
from dataclasses import dataclass, field
from pathlib import Path

import uvicorn

from zermelo.errors import BadParameter, ZermeloError
from zermelo.web.app import build
from zermelo.web.fields import MOST_BYTES
from zermelo.web.hub import MOST_VISITORS, Hub

LOOPBACK = ("127.0.0.1", "localhost", "::1")


class PortInUse(ZermeloError):
    """Another program listens there."""


@dataclass
class Serving:
    """A server that has its port, and has not begun yet."""

    hub: Hub
    sockets: socket.socket
    address: str
    """Where the page is, on this computer."""
    elsewhere: str | None
    """Where it is for others in the same network, with its token."""
    server: uvicorn.Server = field(repr=False)

    def run(self) -> None:
        """Serve until Ctrl-C."""
        self.server.run(sockets=[self.sockets])

    def stop(self) -> None:
        self.server.should_exit = True


def prepare(
    port: int = 8000,
    host: str | None = None,
    lan: bool = False,
    files: list[str] | None = None,
    runs: list[Path] | None = None,
) -> Serving:
    """Take the port and read what is served; a port in use is an error."""
    hub = Hub(files, _labels(runs or []))
    bound = host or ("0.0.0.0" if lan else "127.0.0.1")  # noqa: S104 (asked for)
    listening = _listen(bound, port)
    port = listening.getsockname()[1]
    outside = bound not in LOOPBACK
    token = secrets.token_urlsafe(12) if outside else None
    names = {"127.0.0.1", "localhost", "[::1]"}
    visible = _address_in_the_network() if bound in ("0.0.0.0", "::") else bound  # noqa: S104
    if outside:
        names |= {
            f"[{visible}]" if ":" in visible else visible,
            socket.gethostname().lower(),
            f"{socket.gethostname().lower()}.local",
        }
    hosts = {f"{name}:{port}" for name in names} | (names if port == 80 else set())
    config = uvicorn.Config(
        build(hub, hosts, token),
        log_level="error",
        ws_max_size=MOST_BYTES,
        ws="websockets-sansio",
        ws_per_message_deflate=True,
        limit_concurrency=2 * MOST_VISITORS,
        timeout_graceful_shutdown=2,
        server_header=False,
    )
    query = f"/?token={token}" if token else "/"
    here = "127.0.0.1" if bound in ("0.0.0.0", "::") else bound  # noqa: S104
    here, visible = (f"[{name}]" if ":" in name else name for name in (here, visible))
    elsewhere = f"http://{visible}:{port}{query}" if outside else None
    hub.elsewhere = elsewhere or ""
    return Serving(hub, listening, f"http://{here}:{port}{query}", elsewhere, uvicorn.Server(config))


def _listen(host: str, port: int) -> socket.socket:
    if not 0 <= port <= 65535:
        raise BadParameter(f"`port` (={port}) must be from 0 to 65535")
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.socket(family)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
    except socket.gaierror:
        raise BadParameter(f"`host` (={host}) is no address of this computer") from None
    except OSError as error:
        raise PortInUse(
            f"port {port} of {host} cannot be used: {error.strerror}; choose another with --port"
        ) from None
    return listening


def _address_in_the_network() -> str:
    """By which others in the network reach this computer; nothing is sent to find out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def _labels(runs: list[Path]) -> dict[str, Path]:
    """Runs by the names of their directories; paths stay on the server."""
    found: dict[str, Path] = {}
    for path in runs:
        if not (path / "manifest.json").is_file():
            raise BadParameter(f"{path} is not the directory of a run: it has no manifest.json")
        label = "".join(c if c.isalnum() or c in "-_." else "-" for c in path.resolve().name)
        while label in found:
            label += "'"
        found[label] = path
    return found
