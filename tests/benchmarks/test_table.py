"""The tables of the benchmarks."""

from benchmarks.table import markdown


def test_a_table_is_aligned_markdown() -> None:
    """Each column is as wide as its longest cell."""
    lines = markdown(("fault", "ms"), [["none", "4"], ["resets", "1,000"]]).splitlines()
    assert lines == [
        "| fault  | ms    |",
        "| ------ | ----- |",
        "| none   | 4     |",
        "| resets | 1,000 |",
    ]
