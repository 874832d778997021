"""The server of all pages."""

from collections.abc import Iterator

import pytest
from headless_browser import Page
from served import served


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a server, which starts once for all tests of pages."""
    with served() as server:
        yield server.address


@pytest.fixture
def address(server: str, page: Page) -> str:
    """The address of the page, of which the browser has kept nothing."""
    page("Storage.clearDataForOrigin", origin=server.rstrip("/"), storageTypes="all")
    return server
