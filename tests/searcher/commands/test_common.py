"""Files of weights that replace the defaults of a searcher."""

from pathlib import Path

import pytest

from tests.searcher.command_line import assert_refused, call


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("nonsense", ("w.toml", "not a file of weights")),
        ('evaluator = "none"\n[weights]\n', ("w.toml", "no evaluator 'none'", "hungry")),
    ],
)
def test_an_invalid_file_ends_the_command(tmp_path: Path, content: str, words: tuple[str, ...]) -> None:
    """One line on standard error names it, and the status is 2."""
    file = tmp_path / "w.toml"
    file.write_text(content)
    refused = call("serve", "--listen", "127.0.0.1:0", "--weights", str(file))
    assert_refused(refused, "--weights", *words)
    assert refused.returncode == 2
