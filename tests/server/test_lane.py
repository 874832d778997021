import asyncio
import threading
from collections.abc import Awaitable, Callable

import pytest

from juggle_anim.server import answers as lanes
from juggle_anim.server.answers import Lane, busy
from juggle_anim.server.exchange import Answer, Query

PICTURE = Answer(200, "image/gif", b"GIF8")


class PatientProcess:
    """A process that draws a query once it is told to, or is ended."""

    def __init__(self, drawn: list[str]) -> None:
        self._drawn = drawn
        self._told = threading.Event()
        self.ended = 0

    def answer(self, query: Query, seconds: float) -> Answer:
        self._drawn.append(query.settings)
        before = self.ended
        assert self._told.wait(60)
        self._told.clear()
        return PICTURE if self.ended == before else busy()

    def draw(self) -> None:
        self._told.set()

    def interrupt(self) -> None:
        self.ended += 1
        self._told.set()


class Server:
    """A lane with patient processes, what they have drawn, and what was kept."""

    def __init__(self, processes: int = 1, waiting: int = 200) -> None:
        self.drawn: list[str] = []
        self.kept: list[str] = []
        self.processes = [PatientProcess(self.drawn) for _ in range(processes)]
        self.lane = Lane(
            self.processes, waiting, lambda query, _answer: self.kept.append(query.settings)
        )  # type: ignore[arg-type]

    def ask(self, pattern: str, client: str = "a", wait: float = 60.0) -> asyncio.Task[Answer]:
        return asyncio.ensure_future(self.lane.answer(Query(pattern, "gif"), client, 60.0, wait))

    async def until(self, drawn: int) -> None:
        """Wait until so many queries have been begun, and all else has been done."""
        while len(self.drawn) < drawn:
            await asyncio.sleep(0.001)
        await asyncio.sleep(0)


def run(course: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        await asyncio.wait_for(course(), 60)

    asyncio.run(bounded())


async def leave(*tasks: asyncio.Task[Answer]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def test_of_many_films_that_nobody_awaits_any_more_only_the_one_that_was_begun_is_drawn() -> None:
    async def course() -> None:
        server = Server()
        films = [server.ask(f"{number}", client=f"{number}") for number in range(66)]
        await server.until(1)
        await leave(*films)
        last = server.ask("531")
        server.processes[0].draw()
        await server.until(2)
        server.processes[0].draw()
        assert await last == PICTURE
        assert server.drawn == ["0", "531"]
        assert server.kept == ["0", "531"]

    run(course)


def test_a_film_that_nobody_awaits_is_ended_where_another_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lanes, "DESERTED_SECONDS", 0.0)

    async def course() -> None:
        server = Server(processes=2)
        films = [server.ask("3"), server.ask("5")]
        await server.until(2)
        await leave(films[0])
        assert [process.ended for process in server.processes] == [0, 0]
        awaited = server.ask("531")
        await server.until(3)
        for process in server.processes:
            process.draw()
        assert await awaited == PICTURE
        assert await films[1] == PICTURE
        assert sum(process.ended for process in server.processes) == 1

    run(course)


def test_who_comes_back_to_a_film_at_once_gets_what_is_being_drawn() -> None:
    async def course() -> None:
        server = Server()
        assert await server.ask("3", wait=0.0) == busy()
        await server.until(1)
        waiting = server.ask("5")
        again = server.ask("3", client="b")
        await asyncio.sleep(0)
        server.processes[0].draw()
        assert await again == PICTURE
        server.processes[0].draw()
        assert await waiting == PICTURE
        assert server.drawn == ["3", "5"]
        assert server.processes[0].ended == 0

    run(course)


def test_a_client_has_at_most_half_of_the_places_and_another_one_still_gets_a_picture() -> None:
    async def course() -> None:
        server = Server(waiting=9)
        films = [server.ask(f"{number}") for number in range(8)]
        await server.until(1)
        assert [film.result() for film in films if film.done()] == [busy()] * 3
        waiting = server.ask("531", client="b")
        for number in range(1, 7):
            await server.until(number)
            server.processes[0].draw()
        assert await waiting == PICTURE
        await asyncio.gather(*films)

    run(course)


def test_whoever_has_least_drawn_at_a_time_comes_first() -> None:
    async def course() -> None:
        server = Server(processes=2)
        films = [server.ask(f"{number}") for number in range(4)]
        await server.until(2)
        film = server.ask("531", client="b")
        await asyncio.sleep(0)
        server.processes[0].draw()
        await server.until(3)
        assert server.drawn == ["0", "1", "531"]
        for number in (3, 4, 5):
            await server.until(number)
            for process in server.processes:
                process.draw()
        await asyncio.gather(film, *films)
        assert server.drawn == ["0", "1", "531", "2", "3"]

    run(course)


def test_one_film_for_many_clients_is_drawn_as_long_as_one_of_them_awaits_it() -> None:
    async def course() -> None:
        server = Server()
        films = [server.ask("531", client=f"{number}") for number in range(5)]
        await server.until(1)
        await leave(*films[1:])
        server.processes[0].draw()
        assert await films[0] == PICTURE
        assert server.drawn == ["531"]

    run(course)
