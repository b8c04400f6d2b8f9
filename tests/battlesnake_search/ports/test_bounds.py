"""The bounds of a port, as far as open files allow them."""

import subprocess
import sys

import pytest

_PROGRAM = """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))
from battlesnake_search.ports.bounds import PortBounds
from battlesnake_search.ports.bounds import with_open_files
bounds = with_open_files(PortBounds(2000, 1000))
print(bounds.connections, bounds.per_address, *resource.getrlimit(resource.RLIMIT_NOFILE))
"""


@pytest.mark.parametrize(
    ("soft", "hard", "printed"),
    [
        (256, 3000, "2000 1000 2512 3000"),
        (2900, 3000, "2000 1000 2900 3000"),
        (256, 600, "300 300 600 600"),
    ],
)
def test_open_files_and_connections_fit(soft: int, hard: int, printed: str) -> None:
    """The process allows itself the files that it needs; where it may not, it takes fewer connections."""
    program = _PROGRAM.format(soft=soft, hard=hard)
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.splitlines()[-1] == printed
    assert ("fewer connections" in found.stderr) == (hard < 2512)
