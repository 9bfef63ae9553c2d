"""How fast the play page is, in the browser: from the click on the hint to the tiles that light up, and to first paint.

    python benchmarks/playpage.py

The real server runs on loopback, in a process of its own, its solver warm. A hint's time is told in parts: until the
page has sent the question, until the server begins to answer (its reading and checking), until the solver has
answered, and until the tiles are painted. Takes Playwright and a Chromium, as the tests of the pages do.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click
from playwright.sync_api import sync_playwright
from yardstick import yardstick

from solver import Deal, Solver

PARTS = ("sent", "server", "solver", "painted")

WATCH = """() => {
    window.hint = new Promise((resolve, reject) => {
        let clicked = 0;
        const tell = (shown) => {
            const asked = performance.getEntriesByType("resource").find(({ name }) => name.includes("ask/hint"));
            // The browser writes down its times in its own time.
            if (!asked) return setTimeout(tell, 10, shown);
            const times = [clicked, asked.startTime, asked.responseStart, asked.responseEnd, shown];
            return resolve(times.slice(1).map((time, at) => time - times[at]));
        };
        setTimeout(reject, 60000, "no tiles lit up");
        document.getElementById("hint").addEventListener("click", (event) => { clicked = event.timeStamp; }, true);
        new MutationObserver((_, observer) => {
            if (!document.querySelector(".tile.moving")) return;
            observer.disconnect();
            // The next frame shows it; the one after begins once that is done.
            requestAnimationFrame(() => requestAnimationFrame(() => tell(performance.now())));
        }).observe(document.getElementById("board"), { subtree: true, attributeFilter: ["class"] });
    });
}"""
PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


@click.command()
@click.option("--deals", type=click.IntRange(min=1), default=10, show_default=True, help="Winnable random deals.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
def main(deals: int, seed: int) -> None:
    """Print the median and the worst of both, in milliseconds."""
    click.echo(f"yardstick {yardstick():.3f} s; {deals} deals of seed {seed} that can be won")
    hints, paints = measured(winnable(seed, deals), seed)
    click.echo(f"{'':<24}{'median':>8}{'worst':>8} ms")
    click.echo(line("click to hint", [sum(hint) for hint in hints]))
    for part, times in zip(PARTS, zip(*hints, strict=True), strict=True):
        click.echo(line(f"  {part}", times))
    click.echo(line("first paint", [paint for paint, _ in paints]))
    click.echo(line("board shown", [shown for _, shown in paints]))
    click.echo(f"yardstick {yardstick():.3f} s")


def line(what: str, times: Sequence[float]) -> str:
    return f"{what:<24}{statistics.median(times):8.0f}{max(times):8.0f}"


def winnable(seed: int, count: int) -> list[int]:
    """The numbers of the first deals that can be won."""
    solver, found, index = Solver(first=True), [], 0
    while len(found) < count:
        if solver.solve(Deal.random(seed, index)).verdict == "winnable":
            found.append(index)
        index += 1
    return found


def measured(indices: list[int], seed: int) -> tuple[list[list[float]], list[tuple[float, float]]]:
    """For each deal the parts of the time of a hint, and the times to first paint and to the board."""
    hints, paints = [], []
    program = os.environ.get("XSF_BROWSER") or shutil.which("chromium") or shutil.which("chromium-browser")
    with served() as url, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        # The first deal warms up the solver and the browser, and does not count.
        for index in (indices[0], *indices):
            with browser.new_context() as context:
                page: Any = context.new_page()
                page.goto(f"{url}?seed={seed}&index={index}")
                page.locator(".group").first.wait_for()
                shown = page.evaluate("() => performance.now()")
                page.locator("#best:not(:empty)").wait_for()
                page.evaluate(WATCH)
                page.click("#hint")
                hints.append(page.evaluate("() => window.hint"))
                paints.append((page.evaluate(PAINT), shown))
        browser.close()
    return hints[1:], paints[1:]


@contextmanager
def served() -> Iterator[str]:
    """The address of a server that runs until the block ends."""
    command = [sys.executable, "-m", "cli.main", "play", "--serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        found = next(filter(None, (re.search(r"play at (http://\S+)", said) for said in process.stderr)))
        try:
            yield found[1]
        finally:
            process.send_signal(signal.SIGINT)


if __name__ == "__main__":
    main()
