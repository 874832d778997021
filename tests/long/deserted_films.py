"""Clients of a server that ask for films and leave, and how long another one then waits."""

import socket
import time
from dataclasses import dataclass
from urllib.parse import urlsplit

import httpx2 as httpx


@dataclass
class Waits:
    """How long a client waited for the facts of a pattern and for its picture, [s], and the
    statuses of both.
    """

    facts: float
    picture: float
    statuses: tuple[int, int]


def desert(address: str, films: int, seconds: float) -> Waits:
    """Ask for some films, leave after some seconds, and ask for something else."""
    parts = urlsplit(address)
    assert parts.hostname == "127.0.0.1"
    clients = [socket.create_connection((parts.hostname, parts.port or 80)) for _ in range(films)]
    for number, client in enumerate(clients):
        query = f"pattern=97531;width=480;height=480;fps=60;chickenwing={number};people=same"
        client.sendall(f"GET /anim.mp4?{query} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    time.sleep(seconds)
    for client in clients:
        client.close()
    with httpx.Client(base_url=address, timeout=60.0) as client:
        began = time.monotonic()
        facts = client.get("facts?pattern=45123")
        after_facts = time.monotonic()
        picture = client.get("anim.gif?pattern=531")
        return Waits(
            after_facts - began,
            time.monotonic() - after_facts,
            (facts.status_code, picture.status_code),
        )
