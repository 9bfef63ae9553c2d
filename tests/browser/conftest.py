"""A browser for the tests of pages, one for each module; where none is to be had they are skipped, and say why."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

BROWSER = os.environ.get("XSF_BROWSER") or next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)


# Not for the session: as long as the driver runs, no test can have an event loop of its own.
@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="no playwright: pip install 'xiangshifu[test]'")
    if BROWSER is None:
        pytest.skip("no browser: apt-get install chromium, or set XSF_BROWSER")
    with playwright.sync_playwright() as driver:
        # The sandbox can't be had by root, nor in most containers.
        browser = driver.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield browser
        browser.close()
