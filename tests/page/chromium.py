"""A browser for tests: Debian's chromium, or the one that playwright brings, without a network."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
# Three dimensions on the processor, since machines that run tests have no graphics card; no sandbox for root.
FLAGS = [
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--no-sandbox",
    "--disable-gpu-vsync",
]
MISSING = "no browser to test pages with; `make browser` installs one"


def unavailable(why: str) -> None:
    """Skip the test, or fail where a browser must be there."""
    if os.environ.get("CI"):
        pytest.fail(f"{MISSING} ({why})")
    pytest.skip(f"{MISSING} ({why})")


@contextmanager
def launched() -> Iterator[Any]:
    """Give a running browser."""
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        unavailable("playwright is not installed")
    found = next(filter(None, map(shutil.which, NAMES)), None)
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        except Error as error:
            unavailable(str(error).strip().splitlines()[0])
        yield browser
        browser.close()


def until(page: Any, question: str, seconds: float = 30.0) -> None:
    """Wait until a question is answered with yes, asked from outside: the page's policy forbids to ask it inside."""
    for _ in range(int(seconds / 0.03)):
        if page.evaluate(question):
            return
        page.wait_for_timeout(30)
    raise AssertionError(f"not within {seconds:g} s: {question}")


@contextmanager
def page_of(browser: Any, url: str, **options: Any) -> Iterator[Any]:
    """Give a page that is open and has started, without a network; what its console complains of fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, offline=url.startswith("file:"), **options)
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(url)
    until(page, "() => Boolean(window.fairlead)")
    yield page
    context.close()
    complaints = [text for text in said if "GPU stall" not in text]  # of reading the canvas back, by the test
    assert not complaints, complaints
