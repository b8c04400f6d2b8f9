"""The progress of a test run: a line for each file, and the slowest files."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from operator import itemgetter

import pytest

from tests.support.order import TIMES, file_of, former_times

SLOWEST = 20


class Progress:
    """Shows each file of a run when its last test has ended, instead of a dot for each test."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._former = former_times(config)
        self._tests: Counter[str] = Counter()
        self._ended: Counter[str] = Counter()
        self._failed: Counter[str] = Counter()
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Count the tests of each file, if this process runs them itself."""
        self._begin([item.nodeid for item in session.items])

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """Count the tests of each file. All test processes collect the same ones."""
        self._begin(ids)

    def _begin(self, ids: Sequence[str]) -> None:
        if not self._tests:
            self._tests = Counter(map(file_of, ids))

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """Count a test without a dot."""
        if report.passed:
            return "passed" if report.when == "call" else "", "", ""
        if report.failed:
            # The words appear in the summary.
            return ("failed", "", "FAILED") if report.when == "call" else ("error", "", "ERROR")
        return None if hasattr(report, "wasxfail") else ("skipped", "", "")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add a phase of a test to its file, and show a failure at once."""
        file = file_of(report.nodeid)
        self._seconds[file] += report.duration
        if report.failed:
            self._failed[file] += 1
            self._write(f"FAILED {report.nodeid}", red=True)
        if report.when == "teardown":
            self._ended[file] += 1
            if self._ended[file] == self._tests[file]:
                self._finish(file)

    def _finish(self, file: str) -> None:
        ended = self._whole()
        place = f"[{len(ended)}/{len(self._tests)}]"
        failed = f", {self._failed[file]} failed" if self._failed[file] else ""
        text = f"{place:>9} {self._seconds[file]:6.1f} s  {file}: {self._tests[file]} tests{failed}"
        self._write(text, red=bool(failed))

    def _whole(self) -> list[str]:
        """Return the files whose tests have all ended."""
        return [file for file, tests in self._tests.items() if self._ended[file] == tests]

    def _write(self, line: str, red: bool) -> None:
        reporter: pytest.TerminalReporter | None = self._config.pluginmanager.get_plugin("terminalreporter")
        assert reporter is not None
        reporter.ensure_newline()
        reporter.write_line(line, red=red)

    def pytest_sessionfinish(self) -> None:
        """Keep the times of complete files for the next run."""
        whole = {file: self._seconds[file] for file in self._whole()}
        if hasattr(self._config, "cache") and not self._config.option.collectonly:
            self._config.cache.set(TIMES, self._former | whole)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Show the slowest files, and each reason for which tests were skipped once."""
        if len(self._tests) > 1:
            slowest = sorted(self._seconds.items(), key=itemgetter(1), reverse=True)[:SLOWEST]
            terminalreporter.section(f"the slowest {len(slowest)} files")
            for file, seconds in slowest:
                terminalreporter.write_line(f"{seconds:6.1f} s  {file}")
        skipped = Counter(_reason(report) for report in terminalreporter.stats.get("skipped", ()))
        for reason, tests in skipped.items():
            terminalreporter.write_line(f"{tests} skipped: {reason}", yellow=True)


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return text.removeprefix("Skipped: ")
