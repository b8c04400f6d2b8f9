"""The secrets that readers of a page make in their clone."""

import re
import subprocess

from tests.docs.pages import ROOT

PAGE = ROOT / "docs" / "start" / "serve.md"
MADE = re.compile(r"(?:>+|certificates\.sh) ([\w.-]+)")


def test_git_ignores_the_secrets() -> None:
    """`git add .` after the page's commands commits no secret."""
    made = set(MADE.findall(PAGE.read_text()))
    assert {"certificates", "searcher-tokens.toml", "gateway-token", "tokens.toml", "snake-token"} <= made
    paths = [f"{name}/ca.key" if name == "certificates" else name for name in made]
    ignored = subprocess.run(
        ["git", "check-ignore", *paths], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert set(ignored.stdout.split()) == set(paths)
