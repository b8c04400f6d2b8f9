"""The benchmark of several threads."""

from click.testing import CliRunner

from benchmarks.threads import main


def test_one_thread_is_compared_with_several_and_with_itself(compiled: None) -> None:
    """Each strategy has three rows, and each row is relative to the first one."""
    arguments = ["--strategy", "paranoid/balanced", "--positions", "2", "--time", "20"]
    result = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    assert result.output.count("paranoid/balanced") == 3
    assert "1 again" in result.output
    assert "1.00x" in result.output
