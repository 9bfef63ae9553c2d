"""How long the server waits for those who connect to it, and how it begins and ends."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from solver.errors import InputError

MOST_CONNECTIONS, MOST_OF_ONE = 500, 450
"""Connections at a time, and how many of them from one address."""

REQUEST_SECONDS = 10.0
"""For a request's head, from its first byte or from the connection on."""

SEND_SECONDS = 20.0
"""In which one who has asked has to take some of the answer."""

IDLE_SECONDS = 15
GOODBYE_SECONDS = 2
"""For answers under way when the server ends."""

HEAD_BYTES = 16 * 1024
WAITING_CONNECTIONS = 256


class PatientProtocol(H11Protocol):
    """HTTP with an end to all waiting: for a request that never comes, and for an answer that is never taken."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody connects; beyond ``MOST_CONNECTIONS``, or ``MOST_OF_ONE`` of the same address, in vain."""
        super().connection_made(transport)
        self._request_due: asyncio.TimerHandle | None = None
        self._taking_due: asyncio.TimerHandle | None = None
        if len(self.connections) > MOST_CONNECTIONS or self._of_the_same() > MOST_OF_ONE:
            transport.abort()
        else:
            self._expect_request()

    def _of_the_same(self) -> int:
        """How many connections there are from this one's address."""
        others = [one for one in self.connections if isinstance(one, H11Protocol)]
        return sum((one.client or "")[:1] == (self.client or "")[:1] for one in others)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended."""
        self._cancel_all()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Bytes have come: of a request that begins, ends or goes on."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._request_due = _cancelled(self._request_due)
        else:
            self._expect_request()

    def pause_writing(self) -> None:
        """The other end is slow to take what it asked for."""
        super().pause_writing()
        self._taking_due = self.loop.call_later(SEND_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """It has taken enough of it."""
        super().resume_writing()
        self._taking_due = _cancelled(self._taking_due)

    def _expect_request(self) -> None:
        if self._request_due is None and not self.transport.is_closing():
            self._request_due = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)

    def on_response_complete(self) -> None:
        """An answer is out; uvicorn's own timer waits for the next request."""
        self._request_due = _cancelled(self._request_due)
        super().on_response_complete()

    def _cancel_all(self) -> None:
        self._request_due = _cancelled(self._request_due)
        self._taking_due = _cancelled(self._taking_due)


def _cancelled(timer: asyncio.TimerHandle | None) -> asyncio.TimerHandle | None:
    if timer is not None:
        timer.cancel()
    return None


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; raises InputError if there can be none."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=WAITING_CONNECTIONS)
    except OSError as error:
        # The socket module adds the address to the system's own words.
        number = error.errno or 0
        reason = os.strerror(number).lower() if number > 0 else error.strerror or str(error)
        raise InputError(f"can't serve at {host}, port {port}: {reason}") from error


def make_server(app: Any, listener: socket.socket, ready: Callable[[int], None]) -> uvicorn.Server:
    """A server of an ASGI application on a socket from ``listen``; ``ready`` is told the port once it answers."""

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                ready(listener.getsockname()[1])

    config = uvicorn.Config(
        app,
        http=PatientProtocol,
        ws="none",
        log_level="critical",
        server_header=False,
        date_header=False,
        proxy_headers=False,
        backlog=WAITING_CONNECTIONS,
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=GOODBYE_SECONDS,
        h11_max_incomplete_event_size=HEAD_BYTES,
    )
    return Server(config)


def serve(app: Any, listener: socket.socket, ready: Callable[[int], None]) -> None:
    """Serve until interrupted, and close the socket; raises KeyboardInterrupt."""
    with listener:
        make_server(app, listener, ready).run(sockets=[listener])
