"""The table of what a second thread brings."""

from click.testing import CliRunner

from benchmarks.threads import main


def test_one_thread_is_compared_with_several_and_with_itself(compiled: None) -> None:
    """Three rows for each strategy, beside the first of which all others stand."""
    arguments = ["--strategy", "paranoid/balanced", "--positions", "2", "--time", "20"]
    result = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    assert result.output.count("paranoid/balanced") == 3
    assert "1 again" in result.output
    assert "1.00x" in result.output
