"""The private parts of Numba that `numba_internals` uses: each is there, and the version is bounded."""

import tomllib
from typing import Any

import numba
import pytest
from numba import _dynfunc
from numba.core import cgutils, codegen, compiler_lock, compiler_machinery
from numba.core.ccallback import CFunc
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager
from numba.core.typed_passes import NativeLowering
from numba.np import arrayobj
from packaging.requirements import Requirement

from searcher.engine.jit import numba_internals
from tests.support.services import ROOT


def _half(number: float) -> float:
    return number / 2


@pytest.fixture(scope="module")
def compiled() -> Any:
    """Return the compiler's result for a C function."""
    return numba_internals.compile_c_function(_half, (numba.float64,), numba.float64)


@pytest.mark.parametrize(
    ("owner", "name"),
    [
        (codegen.JITCodeLibrary, "_optimize_functions"),
        (codegen.JITCodeLibrary, "_optimize_final_module"),
        (codegen.JITCodeLibrary, "_finalize_final_module"),
        (codegen.JITCodeLibrary, "_finalize_dynamic_globals"),
        (codegen.JITCodeLibrary, "_ensure_finalized"),
        (codegen.JITCodeLibrary, "serialize_using_bitcode"),
        (codegen.JITCPUCodegen, "_module_pass_manager"),
        (_dynfunc, "make_function"),
        (arrayobj, "populate_array"),
        (compiler_lock, "global_compiler_lock"),
        (compiler_machinery, "register_pass"),
        (CFunc, "_compile_uncached"),
        (CompilerBase, "define_pipelines"),
        (DefaultPassBuilder, "define_nopython_pipeline"),
        (PassManager, "finalize"),
        (NativeLowering, "run_pass"),
        (NativeLowering, "_name"),
        (cgutils._StructProxy, "_getvalue"),
        (numba.njit(_half), "_numba_type_"),
    ],
)
def test_a_private_part_is_there(owner: object, name: str) -> None:
    """A Numba without it needs another `numba_internals`."""
    assert hasattr(owner, name)


def test_the_attributes_of_compiled_code(compiled: Any) -> None:
    """They exist only in objects."""
    library = compiled.library
    assert library._finalized is True and library._final_module is not None
    assert library._codegen._data_layout
    assert compiled._fields and compiled.fndesc.lookup_module() and compiled.fndesc.qualname
    assert numba_internals.c_name_of(compiled).startswith("cfunc.")
    assert numba_internals.bitcode_of(compiled).startswith(b"BC")


def test_the_version_is_within_the_bound() -> None:
    """The bound in pyproject.toml has to be raised together with the version in `requirements`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    requirements = map(Requirement, project["optional-dependencies"]["compile"])
    requirement = next(each for each in requirements if each.name == "numba")
    assert any(each.operator == "<" for each in requirement.specifier)
    assert numba.__version__ in requirement.specifier


DOCUMENTED = ("numba.core import cgutils", "numba.core import config", "numba.core.errors", "numba.extending")


def test_private_parts_are_used_in_one_file() -> None:
    """No other file of the searcher imports modules of Numba beyond its documented ones."""
    for file in (ROOT / "searcher").rglob("*.py"):
        lines = map(str.strip, file.read_text().splitlines())
        imports = [line for line in lines if line.startswith("from numba.")]
        others = [line for line in imports if not any(name in line for name in DOCUMENTED)]
        assert not others or file.name == "numba_internals.py", file
