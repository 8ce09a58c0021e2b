"""The page and its connection, as a Starlette application."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from zermelo.web.guard import HEADERS, Guard
from zermelo.web.hub import MOST_VISITORS, Hub
from zermelo.web.visitor import Visitor

STATIC = Path(__file__).parent / "static"
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}


def static_files() -> dict[str, tuple[bytes, str]]:
    """The files of the page, by the path under which they are asked for; there is no other way to them."""
    paths = [path for path in sorted(STATIC.rglob("*")) if path.suffix in _TYPES]
    files = {f"/{path.relative_to(STATIC).as_posix()}": path for path in paths}
    found = {name: (path.read_bytes(), _TYPES[path.suffix]) for name, path in files.items()}
    return {"/": found["/index.html"], **found}


def build(hub: Hub, hosts: Collection[str], token: str | None = None) -> Starlette:
    """The application; `hosts` are the names, with ports, by which browsers may ask for it."""
    files = static_files()

    async def page(request: Request) -> Response:
        found = files.get(request.url.path)
        if found is None:
            return PlainTextResponse("there is nothing here\n", status_code=404, headers=HEADERS)
        body, kind = found
        tag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
        headers = {**HEADERS, "content-type": kind, "etag": tag}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(body, headers=headers)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        hub.begin()
        yield
        hub.end()

    return Starlette(
        routes=[
            WebSocketRoute("/ws", lambda socket: _talk(hub, socket)),
            Route("/{path:path}", page, methods=["GET", "HEAD"]),
        ],
        middleware=[Middleware(Guard, hub=hub, hosts=hosts, token=token)],
        lifespan=lifespan,
    )


async def _talk(hub: Hub, socket: WebSocket) -> None:
    """A connection of the page, from its beginning to its end."""
    if len(hub.visitors) >= MOST_VISITORS:
        hub.complain("visitors", f"more than {MOST_VISITORS} visitors at once")
        await socket.close(1013)
        return
    await socket.accept()
    visitor = Visitor(hub)
    hub.visitors.add(visitor)
    writer = asyncio.create_task(_write(visitor, socket))
    try:
        while True:
            received = await socket.receive()
            if received["type"] == "websocket.disconnect":
                break
            if not visitor.hear(received.get("text") or received.get("bytes") or ""):
                hub.complain("flood", "a connection was ended: too many messages")
                await socket.close(1008)
                break
    except (WebSocketDisconnect, RuntimeError):
        pass
    finally:
        hub.visitors.discard(visitor)
        visitor.leave()
        hub.thinker.call(lambda: hub.stepping.drop(visitor.name))
        writer.cancel()
        with suppress(asyncio.CancelledError):
            await writer


async def _write(visitor: Visitor, socket: WebSocket) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        while True:
            told = await visitor.outgoing.get()
            await socket.send_text(json.dumps(told, separators=(",", ":")))
