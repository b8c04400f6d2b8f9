"""The progress of compiling in a searcher's log."""

import re
from pathlib import Path

import structlog

from searcher.serving.compile_log import CompileLog
from tests.support.clock import Clock
from tests.support.terminal import COLORS, on_terminal


def _ignore(_done: int, _total: int) -> None:
    """Count nothing."""


def _logged(*reports: tuple[float, str, int, int]) -> list[tuple[str, str, int, int]]:
    """Return the lines for reports of progress, each at its time in seconds."""
    clock = Clock()
    progress = CompileLog(_ignore, clock)
    with structlog.testing.capture_logs() as lines:
        for clock.seconds, label, done, total in reports:
            progress(label, done, total)
    assert {line["event"] for line in lines} == {"compiling"}
    return [(line["log_level"], line["label"], line["done"], line["total"]) for line in lines]


def test_a_line_every_few_seconds_is_enough() -> None:
    """The first and the last part are logged at level info, and between them at most one each 10 seconds."""
    reports = [(float(second), f"part {second}", second, 24) for second in range(25)]
    logged = _logged(*reports)
    assert [done for level, _, done, _ in logged if level == "info"] == [0, 10, 20, 24]
    assert [done for level, _, done, _ in logged if level == "debug"] == [
        *range(1, 10),
        *range(11, 20),
        *range(21, 24),
    ]


def test_the_first_line_is_logged_whatever_its_part() -> None:
    """Parts that a cache has are not reported, so that the first line may be of a later one."""
    assert _logged((0, "third", 3, 9), (1, "fourth", 4, 9)) == [
        ("info", "third", 3, 9),
        ("debug", "fourth", 4, 9),
    ]


def test_each_beginning_is_logged() -> None:
    """What is compiled after something else has a first line of its own."""
    logged = _logged((0, "first", 0, 1), (1, "all", 1, 1), (2, "more", 0, 5))
    assert logged[2] == ("info", "more", 0, 5)


def test_a_message_without_a_further_part_is_always_logged() -> None:
    """That a compiling process died may be said at any time."""
    logged = _logged((0, "first", 0, 9), (1, "one", 1, 9), (1, "a compiling process died", 1, 9))
    assert logged[2] == ("info", "a compiling process died", 1, 9)


def test_a_terminal_gets_lines_and_no_bar(tmp_path: Path) -> None:
    """A server that compiles prints whole lines: another process may write to the same terminal."""
    server = ("-m", "tests.searcher.serving.fake_server", f"unix:{tmp_path / 'searcher.sock'}")
    printed = []
    with on_terminal(*server, LOG_FORMAT="text") as lines:
        for line in lines:
            printed.append(COLORS.sub("", line))
            if "serving on" in line:
                break
    assert all(re.fullmatch(r"\d\d:\d\d:\d\d [^\x00-\x1f]+", line) for line in printed), printed
    assert [line[9:] for line in printed[:-1]] == ["one (1 of 2)", "two (2 of 2)"]
