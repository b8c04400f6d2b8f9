"""The Go code of docs/clients.md: it compiles with the contract's generated code, and searches."""

import asyncio
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.docs.pages import code_blocks
from tests.examples.bots import BOTS, build
from tests.examples.conftest import built
from tests.gateway.scripted_searcher import ScriptedService, at_once, searcher

BLOCKS = tuple(code_blocks("docs/clients.md", "go"))

MAIN = """
package main

import (
	"os"
	"time"
)

func main() {
	if err := connect(os.Getenv("SEARCHER")); err != nil {
		panic(err)
	}
	result, err := search(duel(), 10*time.Second)
	if err != nil || result.GetDepth() != 2 {
		panic(err)
	}
}
"""


@pytest.fixture
def module(tmp_path: Path) -> Path:
    """Return a copy of the example's module with the generated code."""
    [bot] = (built(bot) for bot in BOTS if bot.name == "go")
    return shutil.copytree(build(bot), tmp_path / "go", ignore=shutil.ignore_patterns("build"))


def go(module: Path, command: str, name: str, **files: str) -> None:
    """Run a command of Go on a package with these files. Its complaint fails the test."""
    (module / name).mkdir()
    for file, code in files.items():
        (module / name / f"{file}.go").write_text(code)
    done = subprocess.run(
        ("go", command, f"./{name}"),
        cwd=module,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr


async def test_the_code_of_the_page_searches(module: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page's functions connect to a searcher, and return its final result."""
    program = BLOCKS[0].replace("package bot", "package main")
    async with searcher(ScriptedService(at_once)) as address:
        monkeypatch.setitem(os.environ, "SEARCHER", address)
        await asyncio.to_thread(go, module, "run", "plain", bot=program, main=MAIN)


def test_the_code_for_tls_and_a_token_compiles(module: Path) -> None:
    """The second block takes the place of `connect` in the first one."""
    rest, replaced = re.subn(r"^func connect\(.*?^}\n", "", BLOCKS[0], flags=re.DOTALL | re.MULTILINE)
    assert replaced == 1
    go(module, "build", "secure", bot=rest.replace("/insecure", "") + BLOCKS[1])
