"""The script that removes from an image what no service reads."""

import shutil
import subprocess
import sys
from pathlib import Path

import multidict

from tests.support.dependencies import report_missing

SCRIPT = Path(__file__).parents[3] / "searcher" / "bundle" / "slim.sh"

KEPT = (
    "lib/python/site-packages/numpy/__init__.py",
    "lib/python/site-packages/numpy/__pycache__/__init__.cpython-313.pyc",
    "lib/python/site-packages/numpy-2.dist-info/licenses/LICENSE.txt",
    "lib/python/site-packages/viewer/testing.js",
    "lib/python/site-packages/searcher/tests.py",
)
REMOVED = (
    "bin/alembic",
    "lib/python/site-packages/numpy/__init__.pyi",
    "lib/python/site-packages/numpy/_core/include/numpy/ndarrayobject.h",
    "lib/python/site-packages/numpy/_core/_simd.cpython-313-x86_64-linux-gnu.so",
    "lib/python/site-packages/numpy/_core/_umath_tests.cpython-313-x86_64-linux-gnu.so",
    "lib/python/site-packages/numpy/_core/tests/data/numbers.csv",
    "lib/python/site-packages/numpy/f2py/src/fortranobject.c",
    "lib/python/site-packages/numpy/random/lib/libnpyrandom.a",
    "lib/python/site-packages/sqlalchemy/testing/suite/test_select.py",
)


def test_it_keeps_what_is_read_and_removes_the_rest(tmp_path: Path) -> None:
    """Libraries without their symbols still load."""
    if shutil.which("strip") is None:
        report_missing("strip", "binutils")
    for name in (*KEPT, *REMOVED):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "bin" / "python").symlink_to(sys.executable)
    (library,) = Path(multidict.__file__).parent.glob("_multidict.*.so")
    shutil.copy(library, tmp_path / "lib")
    subprocess.run([SCRIPT, tmp_path], check=True)
    assert [name for name in KEPT if not (tmp_path / name).is_file()] == []
    assert (tmp_path / "bin" / "python").samefile(sys.executable)
    assert [name for name in REMOVED if (tmp_path / name).exists()] == []
    assert not (tmp_path / "lib/python/site-packages/numpy/f2py").exists()
    assert (tmp_path / "lib" / library.name).stat().st_size <= library.stat().st_size
    subprocess.run([sys.executable, "-c", "import _multidict"], cwd=tmp_path / "lib", check=True)
