"""Who may talk to the server: the right Host, the right Origin and, outside this computer, the token."""

from __future__ import annotations

import hmac
from collections.abc import Collection
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from zermelo.web.hub import Hub

COOKIE = "zermelo-"
"""The name of the cookie with the token, before the port."""
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}


class Guard:
    """Lets a request pass, or refuses it with a short answer."""

    def __init__(self, app: ASGIApp, hub: Hub, hosts: Collection[str], token: str | None) -> None:
        self._app, self._hub = app, hub
        self._hosts, self._token = hosts, token
        """`hosts` are names with ports, as browsers send them; the token is None on loopback."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host = headers.get("host", "").lower()
        if host not in self._hosts:
            await self._refuse(scope, receive, send, "this server does not go by that name", "Host")
        elif not self._knows_the_token(scope, headers):
            await self._refuse(
                scope, receive, send, "the address needs its token: use the one that was printed", "token"
            )
        elif scope["type"] == "websocket" and headers.get("origin") != f"http://{host}":
            await self._refuse(scope, receive, send, "another site may not connect here", "Origin")
        elif self._token is not None and scope["type"] == "http" and b"token=" in scope["query_string"]:
            answer = RedirectResponse(scope["path"], status_code=303)
            answer.set_cookie(
                _cookie(host), self._token, httponly=True, samesite="lax", max_age=30 * 24 * 3600
            )
            await answer(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _knows_the_token(self, scope: Scope, headers: Headers) -> bool:
        if self._token is None:
            return True
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if not given:
            cookie = SimpleCookie()
            try:
                cookie.load(headers.get("cookie", ""))
            except CookieError:
                return False
            name = _cookie(headers.get("host", ""))
            given = cookie[name].value if name in cookie else ""
        return hmac.compare_digest(given.encode(), self._token.encode())

    async def _refuse(self, scope: Scope, receive: Receive, send: Send, reason: str, kind: str) -> None:
        self._hub.complain(f"guard {kind}", f"a request was refused: {reason}")
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": reason})
            return
        await PlainTextResponse(f"{reason}\n", status_code=403)(scope, receive, send)


def _cookie(host: str) -> str:
    """Browsers send cookies to every port of a name, so each server has its own."""
    return COOKIE + (host.rpartition(":")[2] if ":" in host else "80")
